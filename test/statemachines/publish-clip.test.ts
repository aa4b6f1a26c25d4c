import { describe, expect, it } from 'vitest'
import { failing, openPublishMachine } from './open-publish-machine.ts'

const clip = { archiveId: 'a', clipId: 'c' }

describe('the publish machine of a clip', () => {
  it('cuts the clip, and runs no other task', async () => {
    const { publish, calls, inputsOf } = openPublishMachine()
    expect(await publish({}, { clip })).toMatchObject({ status: 'SUCCEEDED', lastState: 'Published' })
    expect(calls.map(({ task }) => task)).toEqual(['cutClip', 'publishClip'])
    expect(inputsOf('cutClip')).toEqual([clip])
    expect(inputsOf('publishClip')).toEqual([{ ...clip, file: { key: 'clip.mp4', size: 1, sha256: 'aa' } }])
  })

  it('records a clip that cannot be cut, and fails', async () => {
    const { publish, inputsOf } = openPublishMachine()
    const ended = await publish({ cutClip: failing('TaskConfigError') }, { clip })
    expect(ended).toMatchObject({ status: 'FAILED', error: 'PublishFailed', lastState: 'Clip failed' })
    expect(inputsOf('publishClip')).toEqual([{ ...clip, file: null, problem: 'The MP4 could not be cut.' }])
  })
})
