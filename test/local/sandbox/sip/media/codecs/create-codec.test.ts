import { describe, expect, it } from 'vitest'
import { codecNames, createCodec } from '../../../../../../local/sandbox/sip/media/codecs/create-codec.ts'
import { aLaw, muLaw } from '../../../../../../local/sandbox/sip/media/codecs/g711.ts'
import { joined, peakOf, toneAt } from '../../../../../support/media/tones.ts'

const BLOCK = 960

describe('G.711', () => {
  it('encodes the values of the tables in ITU-T G.711', () => {
    // Decision values of tables 1a and 2a, as codes on the line, scaled to 16 bits.
    const encode = (law: typeof aLaw, sample: number) => law.encode(Int16Array.of(sample))[0]
    expect([0, 8, -1, 32_767, -32_768, 1_000].map((sample) => encode(aLaw, sample))).toEqual([
      0xd5, 0xd5, 0x55, 0xaa, 0x2a, 0xfa,
    ])
    expect([0, -1, 32_767, -32_768, 1_000].map((sample) => encode(muLaw, sample))).toEqual([
      0xff, 0x7f, 0x80, 0x00, 0xce,
    ])
    expect([...aLaw.decode(Uint8Array.of(0xd5, 0x55, 0xaa, 0x2a))]).toEqual([8, -8, 32_256, -32_256])
    expect([...muLaw.decode(Uint8Array.of(0xff, 0x7f, 0x80, 0x00))]).toEqual([0, 0, 32_124, -32_124])
  })
  it.each([
    ['A-law', aLaw, [0x55, 0xd5]],
    ['µ-law', muLaw, [0x7f]], // a second zero
  ] as const)('returns each code of %s after decoding and encoding', (_, law, equal) => {
    const codes = Uint8Array.from({ length: 256 }, (_, code) => code)
    const again = law.encode(law.decode(codes))
    const different = [...codes].filter((code) => again[code] !== code && !(equal as readonly number[]).includes(code))
    expect(different).toEqual([])
  })
})

describe.each(codecNames)('createCodec(%s)', (name) => {
  const blocks = Array.from({ length: 25 }, (_, index) => toneAt(1_000, BLOCK, { start: index * BLOCK }))

  it('passes a tone through both directions', async () => {
    const codec = await createCodec(name)
    const heard = joined(blocks.map((block) => codec.decode(codec.encode(block)))).subarray(BLOCK * 5)
    codec.close()
    expect(heard.length).toBe(BLOCK * 20)
    expect(peakOf(heard, 1_000)).toBeGreaterThan(7_000)
    expect(peakOf(heard, 1_000)).toBeLessThan(9_000)
    expect(peakOf(heard, 1_700)).toBeLessThan(100)
  })
  it('continues the tone in place of a lost packet and fades out a long loss', async () => {
    const codec = await createCodec(name)
    for (const block of blocks) codec.decode(codec.encode(block))
    const first = codec.conceal(BLOCK)
    const later = Array.from({ length: 9 }, () => codec.conceal(BLOCK))
    codec.close()
    expect(first.length).toBe(BLOCK)
    expect(peakOf(first, 1_000)).toBeGreaterThan(4_000)
    expect(peakOf(later.at(-1) as Int16Array, 1_000)).toBeLessThan(3_000)
  })
})

describe('a telephone codec', () => {
  it('removes what is above its band before it encodes', async () => {
    const codec = await createCodec('PCMA/8000')
    const high = Array.from({ length: 10 }, (_, index) => toneAt(7_000, BLOCK, { start: index * BLOCK }))
    const heard = joined(high.map((block) => codec.decode(codec.encode(block)))).subarray(BLOCK * 2)
    expect(peakOf(heard, 1_000)).toBeLessThan(50) // its alias at 8 kHz
  })
})
