import { describe, expect, it, vi } from 'vitest'
import { clientRandomOf, createRepetitionFilter } from '../../../../../../local/sandbox/sip/media/dtls/repetitions.ts'
import { recordOf } from './record-of.ts'

describe('createRepetitionFilter', () => {
  it('removes repeated plain messages, and reports them', () => {
    const onRepeated = vi.fn()
    const filter = createRepetitionFilter(onRepeated)
    const [first, second, encrypted] = [recordOf(0, 11), recordOf(1, 16), recordOf(0, 20, { epoch: 1 })]
    expect(filter(Buffer.concat([first, encrypted]))).toEqual(Buffer.concat([first, encrypted]))
    expect(onRepeated).not.toHaveBeenCalled()
    expect(filter(Buffer.concat([recordOf(7, 11), second, encrypted]))).toEqual(Buffer.concat([second, encrypted]))
    expect(onRepeated).toHaveBeenCalledOnce()
    expect(filter(Buffer.of(22, 254))).toEqual(Buffer.alloc(0)) // cut off
  })
})

describe('clientRandomOf', () => {
  it('returns the random bytes of a ClientHello, and nothing of another datagram', () => {
    const content = Buffer.concat([Buffer.of(254, 253), Buffer.alloc(32, 'r'), Buffer.of(0)])
    expect(clientRandomOf(recordOf(0, 1, { content }))).toBe('r'.repeat(32))
    expect(clientRandomOf(recordOf(0, 2, { content }))).toBeUndefined()
    expect(clientRandomOf(recordOf(0, 1, { content }).subarray(0, 50))).toBeUndefined()
  })
})
