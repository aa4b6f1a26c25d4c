import { describe, expect, it } from 'vitest'
import { mixVoices } from '../../../../../local/sandbox/media/engine/mixer.ts'

const mixed = (voices: readonly (Int16Array | undefined)[]) => {
  const target = new Int16Array([7])
  mixVoices(voices, target)
  return target[0]
}

describe('mixVoices', () => {
  it('adds voices unchanged, and is silent without any', () => {
    expect(mixed([])).toBe(0)
    expect(mixed([new Int16Array([1000]), undefined, new Int16Array([-300])])).toBe(700)
  })

  it('attenuates many voices together, so that they never exceed full scale', () => {
    const beep = new Int16Array([6_500])
    expect(mixed(Array(5).fill(beep))).toBe(32_500)
    expect(mixed(Array(10).fill(beep))).toBe(32_500)
  })

  it('mixes the first 50', () => {
    expect(mixed([...Array(50).fill(undefined), new Int16Array([1000])])).toBe(0)
  })
})
