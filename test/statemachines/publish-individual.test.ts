import { describe, expect, it } from 'vitest'
import type { Tasks } from './open-machine.ts'
import {
  arrival,
  composite,
  facts,
  failing,
  inspection,
  keysOf,
  openPublishMachine,
  pieces,
  source,
} from './open-publish-machine.ts'

const zip = { ...inspection, facts: null, formats: ['composite', 'poster'], differences: ['One is cut off.'] }
/** Inspects the zip, and then the composite that was made of it. */
const inspectRecording: Tasks[string] = ({ composed }) =>
  composed ? { ...inspection, formats: ['poster'], differences: ['No record.'] } : zip

describe('the publish machine of an individual archive', () => {
  it('composes one video of all streams, and makes every other format of it', async () => {
    const { publish, inputsOf } = openPublishMachine()
    expect(await publish({ inspectRecording })).toMatchObject({ status: 'SUCCEEDED' })
    expect(inputsOf('composePiece')).toEqual(pieces.map((piece) => ({ ...source, piece })))
    expect(inputsOf('mixAudio')).toEqual([source])
    expect(inputsOf('assembleComposite')).toEqual([{ ...source, edition: 'e0', hasAudio: true, pieces: 2 }])
    expect(inputsOf('inspectRecording')).toEqual([
      arrival,
      { ...composite, composed: 'a', formats: ['composite', 'poster'] },
    ])
    expect(inputsOf('makePoster')).toEqual([{ ...source, ...composite }])
  })

  it('hashes and publishes the archive itself', async () => {
    const { publish, inputsOf, manifests } = openPublishMachine()
    await publish({ inspectRecording })
    expect(inputsOf('hashSource')).toEqual([arrival])
    expect(manifests()).toHaveLength(2)
    for (const manifest of manifests()) {
      expect(manifest).toMatchObject({
        ...arrival,
        inspection: { facts, formats: ['composite', 'poster'], differences: ['One is cut off.', 'No record.'] },
      })
      expect(keysOf(manifest)).toEqual(['composite', 'poster'])
    }
  })

  it('makes further formats of a composite that is already published', async () => {
    const { publish, inputsOf, manifests } = openPublishMachine()
    const { bucket, ...published } = composite
    const again = { ...zip, formats: ['poster'], pieces: [], composite: published }
    const inspect: Tasks[string] = (given) => (given.composed ? inspectRecording(given) : again)
    expect(await publish({ inspectRecording: inspect })).toMatchObject({ status: 'SUCCEEDED' })
    expect(inputsOf('composePiece')).toEqual([])
    expect(inputsOf('inspectRecording')[1]).toEqual({ ...composite, composed: 'a', formats: ['poster'] })
    expect(inputsOf('makePoster')).toEqual([{ ...source, ...composite }])
    expect(inputsOf('hashSource')).toEqual([arrival])
    expect(manifests()[1]).toMatchObject({ ...arrival, inspection: { facts, formats: ['poster'] } })
    expect(keysOf(manifests()[1])).toEqual(['poster'])
  })

  it.each(['composePiece', 'mixAudio', 'assembleComposite'])('writes a failure of %s to the manifest', async (task) => {
    const { publish, manifests } = openPublishMachine()
    await publish({ inspectRecording, [task]: failing('MediaError') })
    expect(manifests()).toMatchObject([{ stage: 'complete', failure: { Error: 'MediaError' } }])
  })
})
