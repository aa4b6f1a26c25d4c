import { describe, expect, it } from 'vitest'
import { tagOf } from '../../../lib/workflow/names.ts'
import { placeOf, withPart } from '../../../lib/workflow/part-entries.ts'

const entry = (name: string, part: number, words = '') => ({ name, part, words })

describe('withPart', () => {
  const entries = [entry('a', 1), entry('b', 1), entry('b', 3)]

  it('puts a part behind the one before it, or in the place of itself', () => {
    expect(withPart(entries, entry('a', 2))).toEqual([entry('a', 1), entry('a', 2), entry('b', 1), entry('b', 3)])
    expect(withPart(entries, entry('b', 2))).toEqual([entry('a', 1), entry('b', 1), entry('b', 2), entry('b', 3)])
    expect(withPart(entries, entry('b', 1, 'new'))).toEqual([entry('a', 1), entry('b', 1, 'new'), entry('b', 3)])
    expect(withPart(entries, entry('c', 1))).toEqual([...entries, entry('c', 1)])
  })
})

describe('placeOf', () => {
  it('reads the tags of its own show, and no others', () => {
    expect(placeOf('a-show', tagOf('a-show', 'live_1', 12))).toEqual({ name: 'live_1', part: 12 })
    for (const tag of ['b-show/live/1', 'a-show/live', 'a-show/live/0', 'a-show/live/x', 'a-show/a/b/1', undefined])
      expect(placeOf('a-show', tag)).toBeUndefined()
  })
})
