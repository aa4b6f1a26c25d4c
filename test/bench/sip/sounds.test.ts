import { describe, expect, it } from 'vitest'
import { findSound, HALF_PERIODS, isLoud, silentPayload, soundPayload } from '../../../bench/sip/sounds.ts'
import { createCodec } from '../../../local/sandbox/sip/media/codecs/create-codec.ts'

describe('findSound', () => {
  it.each([...HALF_PERIODS.entries()])(
    'finds sound %i, also once it was mixed at another rate',
    async (which, half) => {
      const codec = await createCodec('PCMU/8000')
      const through = () => Buffer.from(codec.encode(codec.decode(soundPayload(half))))
      for (const payload of [soundPayload(half), through(), through()]) {
        expect(isLoud(payload)).toBe(true)
        expect(findSound(payload)).toBe(which)
      }
    },
  )
  it('finds none in silence, nor in the first samples of one', () => {
    const begun = Buffer.concat([silentPayload().subarray(10), soundPayload(8).subarray(0, 10)])
    expect([silentPayload(), begun].map(isLoud)).toEqual([false, true])
    expect([silentPayload(), begun].map(findSound)).toEqual([undefined, undefined])
  })
})
