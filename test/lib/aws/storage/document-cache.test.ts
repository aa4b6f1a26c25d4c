import { describe, expect, it } from 'vitest'
import { createDocumentCache } from '../../../../lib/aws/storage/document-cache.ts'

const text = (value: number) => JSON.stringify({ value })

describe('createDocumentCache', () => {
  it('parses a text once while it is unchanged', () => {
    const { parse } = createDocumentCache()
    const first = parse('one', text(1))
    expect(first).toEqual({ value: 1 })
    expect(parse('one', text(1))).toBe(first)
    expect(parse('two', text(1))).not.toBe(first)
    expect(parse('one', text(2))).toEqual({ value: 2 })
    expect(parse('one', text(1))).not.toBe(first)
  })

  it('forgets the documents that were read longest ago', () => {
    const { parse } = createDocumentCache(2 * text(1).length)
    const [one, two] = [parse('one', text(1)), parse('two', text(2))]
    expect(parse('one', text(1))).toBe(one)
    parse('three', text(3))
    expect(parse('one', text(1))).toBe(one)
    expect(parse('two', text(2))).not.toBe(two)
  })

  it('keeps no text that is longer than the cache', () => {
    const { parse } = createDocumentCache(1)
    expect(parse('one', text(1))).not.toBe(parse('one', text(1)))
  })

  it('throws the error of a text that is not JSON', () => {
    const { parse } = createDocumentCache()
    expect(() => parse('one', '{')).toThrow(SyntaxError)
  })
})
