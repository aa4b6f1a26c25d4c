import { describe, expect, it } from 'vitest'
import { mixMinus } from '../../../../../../local/sandbox/sip/media/session/mixer.ts'

const block = (value: number) => new Int16Array(960).fill(value)

describe('mixMinus', () => {
  it('leaves out the own voice, and clips only what is sent', () => {
    const mixed = mixMinus([block(20_000), block(20_000), undefined], [block(-5_000), undefined])
    expect(mixed.map(([sample]) => sample)).toEqual([15_000, 15_000, 32_767])
  })
})
