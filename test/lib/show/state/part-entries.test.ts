import { describe, expect, it } from 'vitest'
import { withPart } from '../../../../lib/show/state/part-entries.ts'

const entry = (name: string, part: number, words = '') => ({ name, part, words })

describe('withPart', () => {
  const entries = [entry('a', 1), entry('b', 1), entry('b', 3)]

  it('inserts a part after the one before it, or replaces it', () => {
    expect(withPart(entries, entry('a', 2))).toEqual([entry('a', 1), entry('a', 2), entry('b', 1), entry('b', 3)])
    expect(withPart(entries, entry('b', 2))).toEqual([entry('a', 1), entry('b', 1), entry('b', 2), entry('b', 3)])
    expect(withPart(entries, entry('b', 1, 'new'))).toEqual([entry('a', 1), entry('b', 1, 'new'), entry('b', 3)])
    expect(withPart(entries, entry('c', 1))).toEqual([...entries, entry('c', 1)])
  })
})
