import { describe, expect, it } from 'vitest'
import { MediaError } from '../../../lib/media/media-error.ts'
import type { Publication } from '../../../local/sandbox/media/media.ts'
import type { SourceFile } from '../../../local/sandbox/media/sources/source-file.ts'
import { createMediaOff } from '../../../local/sandbox/media-off.ts'
import { openSandbox } from './open-sandbox.ts'

const talk: SourceFile = {
  ...{ type: 'file', path: '/talk.mp4', format: 'mov', frames: 90, width: 640, height: 360 },
  ...{ hasAudio: true, hasVideo: true },
}

/** A sandbox whose machine has one file. */
function openWithFile(file: SourceFile) {
  const published: Publication[] = []
  const world = openSandbox({
    media: (clock) => ({
      ...createMediaOff(clock),
      async openFile(path) {
        if (path !== file.path) throw new MediaError('There is no such file.')
        return file
      },
      publish: (stream) => void published.push(stream),
    }),
  })
  const join = async (participant: object) => {
    const path = `/sandbox/sessions/${await world.createSession()}/participants`
    return world.send('POST', path, { body: JSON.stringify(participant) })
  }
  return { published, join }
}

const source = { type: 'file', path: talk.path }

describe('openSource', () => {
  it('publishes a file, and of it no more than it has and the participant wants', async () => {
    const { published, join } = openWithFile(talk)
    expect(await join({ source })).toMatchObject({ status: 201 })
    await join({ source, audio: false })
    expect(published).toMatchObject([
      { source: talk, hasAudio: true, hasVideo: true },
      { source: talk, hasAudio: false, hasVideo: true },
    ])
    const heard = openWithFile({ ...talk, hasVideo: false })
    await heard.join({ source })
    expect(heard.published).toMatchObject([{ hasAudio: true, hasVideo: false }])
  })

  it('refuses what is no file to show, and nobody has joined then', async () => {
    const { published, join } = openWithFile({ ...talk, hasVideo: false })
    const refused = (message: string) => ({ status: 400, body: { code: 400, message } })
    expect(await join({ source: { type: 'file', path: '/none.mp4' } })).toEqual(
      refused('source.path: There is no such file.'),
    )
    expect(await join({ source, audio: false })).toEqual(
      refused('source.path: The file has nothing of what is to be published.'),
    )
    expect(published).toEqual([])
  })

  it('looks at no file of somebody who only watches', async () => {
    const { join } = openWithFile(talk)
    const { status, body } = await join({ publish: false, source: { type: 'file', path: '/none.mp4' } })
    expect([status, body.streamId]).toEqual([201, undefined])
  })
})
