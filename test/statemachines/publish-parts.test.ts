import { describe, expect, it } from 'vitest'
import { failing, inspection, openPublishMachine } from './open-publish-machine.ts'

const inspectRecording = () => ({ ...inspection, formats: [], show: { showId: 's', name: 'program', part: 2 } })
const pair = { earlier: 'a1', later: 'a', expected: [7] }

describe('the publish machine of a part', () => {
  it('joins the parts of a recording that rolled over', async () => {
    const { publish, inputsOf } = openPublishMachine()
    const findParts = () => ({ parts: ['a1', 'a'], pairs: [pair], message: 'One is missing.' })
    expect(await publish({ inspectRecording, findParts })).toMatchObject({
      status: 'SUCCEEDED',
      lastState: 'Published',
    })
    expect(inputsOf('findParts')).toEqual([{ archiveId: 'a' }])
    expect(inputsOf('findOverlap')).toEqual([pair])
    const overlaps = [{ shift: 7, confidence: 1 }]
    expect(inputsOf('joinParts')).toEqual([{ parts: ['a1', 'a'], overlaps, message: 'One is missing.' }])
  })

  it('joins nothing of a recording that did not roll over', async () => {
    const { publish, inputsOf } = openPublishMachine()
    expect(await publish({ inspectRecording })).toMatchObject({ status: 'SUCCEEDED' })
    expect(inputsOf('findParts')).toHaveLength(1)
    expect(inputsOf('joinParts')).toEqual([])
  })

  it.each(['findParts', 'findOverlap', 'joinParts'])(
    'publishes the part although %s fails, and reports the failure',
    async (task) => {
      const { publish, manifests } = openPublishMachine()
      const findParts = () => ({ parts: ['a1', 'a'], pairs: [pair], message: null })
      const ended = await publish({ inspectRecording, findParts, [task]: failing('MediaError') })
      expect(ended).toMatchObject({ status: 'FAILED', error: 'NotJoined' })
      expect(manifests().at(-1)).toMatchObject({ stage: 'complete', failure: null })
    },
  )
})
