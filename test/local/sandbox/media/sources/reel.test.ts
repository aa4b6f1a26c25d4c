import { describe, expect, it } from 'vitest'
import type { Size } from '../../../../../local/sandbox/media/composing/picture.ts'
import type { Decoder, Frame } from '../../../../../local/sandbox/media/sources/decoder.ts'
import { createReel } from '../../../../../local/sandbox/media/sources/reel.ts'

const SMALL = { width: 160, height: 120 }
const LARGE = { width: 320, height: 240 }
const LENGTH = 300

/** Creates a decoder whose frames contain their place, and whose end is released by the test. */
function createFakeDecoder(from: number, size: Size | undefined) {
  const gone = Promise.withResolvers<void>()
  const state = { from, size, place: from, hasStalled: false, isKilled: false, letGo: gone.resolve }
  const decoder: Decoder = {
    size,
    get place() {
      return state.place
    },
    get hasStalled() {
      return state.hasStalled
    },
    async read(): Promise<Frame> {
      const audio = Int16Array.of(state.place++)
      return { picture: undefined, audio: state.hasStalled ? undefined : audio }
    },
    kill() {
      state.isKilled = true
      return gone.promise
    },
  }
  return { state, decoder }
}

function openReel() {
  const decoders: ReturnType<typeof createFakeDecoder>['state'][] = []
  const reel = createReel(LENGTH, 0, (from, size) => {
    const { state, decoder } = createFakeDecoder(from, size)
    decoders.push(state)
    return decoder
  })
  /** The places that the frames of these numbers show; undefined where there is nothing. */
  const show = async (from: number, to: number, size: Size = SMALL) => {
    const places: (number | undefined)[] = []
    for (let number = from; number < to; number++) places.push((await reel.frameAt(number, size)).audio?.[0])
    return places
  }
  return { reel, decoders, show }
}

const run = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)

describe('createReel', () => {
  it('is closed only when replaced decoders are gone', async () => {
    const { reel, decoders, show } = openReel()
    await show(0, 10)
    await show(10, 100, LARGE)
    expect(decoders.map(({ size, isKilled }) => [size, isKilled])).toEqual([
      [SMALL, true],
      [LARGE, false],
    ])
    const [replaced, last] = decoders
    let isClosed = false
    const closed = reel.close().then(() => {
      isClosed = true
    })
    last?.letGo()
    await new Promise((resolve) => setImmediate(resolve))
    expect(isClosed).toBe(false)
    replaced?.letGo()
    await closed
  })

  it('continues with another decoder a second after one has stalled', async () => {
    const { decoders, show } = openReel()
    expect(await show(0, 50)).toEqual(run(0, 50))
    for (const decoder of decoders) decoder.hasStalled = true
    const seen = await show(50, 200)
    expect(seen.slice(35)).toEqual(run(85, 200))
    expect(decoders).toHaveLength(2)
  })

  it('replaces a stalled decoder once per pass', async () => {
    const { decoders, show } = openReel()
    await show(0, 50)
    for (const decoder of decoders) decoder.hasStalled = true
    await show(50, 90)
    for (const decoder of decoders) decoder.hasStalled = true
    expect((await show(90, 250)).slice(1)).toEqual(Array(159).fill(undefined))
    expect(decoders).toHaveLength(2)
    expect(await show(250, 310)).toEqual([...Array(50).fill(undefined), ...run(0, 10)])
    expect(decoders).toHaveLength(3)
    for (const decoder of decoders) decoder.hasStalled = true
    expect((await show(310, 400)).slice(-10)).toEqual(run(90, 100))
  })
})
