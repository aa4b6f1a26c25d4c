import { describe, expect, it } from 'vitest'
import {
  isNearEnd,
  type RowView,
  rowAfterKey,
  rowsInView,
  scrollTopFor,
} from '../../../../web/console/library/row-window.ts'

const view = (changes: Partial<RowView> = {}): RowView => ({
  ...{ scrollTop: 0, height: 400, rowHeight: 50, count: 10_000 },
  ...changes,
})

describe('rowsInView', () => {
  it('has the rows in view and some around them, however long the list is', () => {
    expect(rowsInView(view())).toEqual({ first: 0, end: 14 })
    expect(rowsInView(view({ scrollTop: 5_000 * 50 }))).toEqual({ first: 4_994, end: 5_014 })
    expect(rowsInView(view({ scrollTop: 9_992 * 50 }))).toEqual({ first: 9_986, end: 10_000 })
  })

  it('has no row of an empty list, or of one that has become shorter', () => {
    expect(rowsInView(view({ count: 0 }))).toEqual({ first: 0, end: 0 })
    expect(rowsInView(view({ count: 5, scrollTop: 9_000 }))).toEqual({ first: 5, end: 5 })
  })
})

describe('isNearEnd', () => {
  it('is true while two heights of rows follow or fewer', () => {
    expect(isNearEnd(view({ count: 25 }))).toBe(false)
    expect(isNearEnd(view({ count: 24 }))).toBe(true)
    expect(isNearEnd(view({ count: 0 }))).toBe(true)
  })
})

describe('rowAfterKey', () => {
  it('moves by a row, by a page, and to both ends', () => {
    const after = (key: string, row = 100) => rowAfterKey(key, row, view())
    expect([after('ArrowDown'), after('ArrowUp'), after('PageDown'), after('PageUp')]).toEqual([101, 99, 107, 93])
    expect([after('Home'), after('End')]).toEqual([0, 9_999])
    expect([after('ArrowUp', 0), after('ArrowDown', 9_999)]).toEqual([0, 9_999])
    expect(after('a')).toBeUndefined()
  })
})

describe('scrollTopFor', () => {
  it('moves only as far as the row needs', () => {
    expect(scrollTopFor(3, view({ scrollTop: 100 }))).toBe(100)
    expect(scrollTopFor(0, view({ scrollTop: 100 }))).toBe(0)
    expect(scrollTopFor(20, view({ scrollTop: 100 }))).toBe(650)
  })
})
