import { describe, expect, it } from 'vitest'
import { parseAvcConfiguration, toAnnexB } from '../../../../lib/media/mp4/annex-b.ts'

// version 1, profile 66.0 level 30, lengths of 4 bytes, one SPS (67 42 00 1e), two PPS (68 ce) and (68 cf 01)
const avcC = Buffer.from('0142001effe100046742001e02000268ce000368cf01', 'hex')

describe('parseAvcConfiguration', () => {
  it('finds the length size and every parameter set', () => {
    const { lengthSize, parameterSets } = parseAvcConfiguration(avcC)
    expect(lengthSize).toBe(4)
    expect(parameterSets.toString('hex')).toBe('000000016742001e' + '0000000168ce' + '0000000168cf01')
  })

  it('ignores what a high profile appends', () => {
    const extended = Buffer.concat([avcC, Buffer.from('fdf8f800', 'hex')])
    expect(parseAvcConfiguration(extended)).toEqual(parseAvcConfiguration(avcC))
  })

  it.each([
    ['nothing', ''],
    ['another version', `02${avcC.subarray(1).toString('hex')}`],
    ['a cut', avcC.subarray(0, -1).toString('hex')],
    ['no SPS', '0142001effe0'],
    ['no PPS', '0142001effe100046742001e00'],
  ])('refuses %s', (_what, hex) => {
    expect(() => parseAvcConfiguration(Buffer.from(hex, 'hex'))).toThrow(/avcC/)
  })
})

describe('toAnnexB', () => {
  const parameterSets = Buffer.from('00000001aa', 'hex')

  it('puts the parameter sets first and a start code in the place of each length', () => {
    const packet = Buffer.from('00000002' + '0601' + '00000003' + '658899', 'hex')
    expect(toAnnexB(packet, { lengthSize: 4, parameterSets }).toString('hex')).toBe(
      '00000001aa' + '000000010601' + '00000001658899',
    )
  })

  it('reads lengths of one and two bytes', () => {
    expect(toAnnexB(Buffer.from('026588', 'hex'), { lengthSize: 1, parameterSets }).toString('hex')).toBe(
      '00000001aa000000016588',
    )
    expect(toAnnexB(Buffer.from('00026588', 'hex'), { lengthSize: 2, parameterSets }).toString('hex')).toBe(
      '00000001aa000000016588',
    )
  })

  it.each([['00000009658899'], ['0000000165' + '0000'], ['ffffffff65']])(
    'refuses %s, whose lengths exceed it',
    (hex) => {
      expect(() => toAnnexB(Buffer.from(hex, 'hex'), { lengthSize: 4, parameterSets })).toThrow(/NAL units exceed it/)
    },
  )
})
