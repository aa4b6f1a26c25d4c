import { describe, expect, it } from 'vitest'
import { decodeAmf, encodeAmf } from '../../../../../local/sandbox/media/rtmp/amf.ts'

describe('encodeAmf', () => {
  it('writes numbers, booleans, strings, objects, null and undefined', () => {
    expect(encodeAmf('publish', 5, null, { a: true }).toString('hex')).toBe(
      ['0200077075626c697368', '004014000000000000', '05', '03', '000161', '0101', '000009'].join(''),
    )
  })

  it('refuses a text that is too long', () => {
    expect(() => encodeAmf('x'.repeat(65_536))).toThrow('the maximum is 64 KB')
  })
})

describe('decodeAmf', () => {
  it('reads written values', () => {
    const values = ['_result', 1, null, undefined, false, { code: 'é', more: { depth: [1, 'two', { three: 3 }] } }]
    expect(decodeAmf(encodeAmf(...values))).toEqual(values)
  })

  it('reads arrays with keys and long texts, which servers send', () => {
    const array = Buffer.from('080000000100016102000162000009', 'hex')
    expect(decodeAmf(Buffer.concat([array, Buffer.from('0c0000000161', 'hex')]))).toEqual([{ a: 'b' }, 'a'])
  })

  it('reads a key such as constructor as any other', () => {
    expect(Object.keys(decodeAmf(encodeAmf({ constructor: 1 }))[0] as object)).toEqual(['constructor'])
  })

  it.each([
    ['incomplete', encodeAmf('connect', 1, { app: 'live' }).subarray(0, -4)],
    ['incomplete', Buffer.from('0c7fffffff', 'hex')],
    ['incomplete', Buffer.from('0a7fffffff00', 'hex')],
    ['nested too deeply', Buffer.from('03000161'.repeat(20), 'hex')],
    ['unknown type 17', Buffer.of(17)],
  ])('refuses a value: %s', (what, bytes) => {
    expect(() => decodeAmf(bytes)).toThrow(what)
  })
})
