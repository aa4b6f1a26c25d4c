/** The part of a list that is in view, in pixels and rows. */
export interface RowView {
  readonly scrollTop: number
  readonly height: number
  readonly rowHeight: number
  readonly count: number
}

/** Rows that are drawn above and below those in view. */
const MARGIN = 6

/** Returns the first row to draw, and the one after the last. */
export function rowsInView({ scrollTop, height, rowHeight, count }: RowView): { first: number; end: number } {
  const first = Math.max(0, Math.min(Math.floor(scrollTop / rowHeight) - MARGIN, count))
  const end = Math.min(count, Math.ceil((scrollTop + height) / rowHeight) + MARGIN)
  return { first, end: Math.max(first, end) }
}

/** Returns true if fewer than two heights of rows follow, so that the next page is read before its rows are in view. */
export const isNearEnd = ({ scrollTop, height, rowHeight, count }: RowView): boolean =>
  scrollTop + 3 * height >= count * rowHeight

/** Returns the row to which a key moves, or undefined for another key. */
export function rowAfterKey(key: string, row: number, { height, rowHeight, count }: RowView): number | undefined {
  const page = Math.max(1, Math.floor(height / rowHeight) - 1)
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: row + 1,
    ArrowUp: row - 1,
    PageDown: row + page,
    PageUp: row - page,
    Home: 0,
    End: count - 1,
  }
  const next = steps[key]
  return next === undefined ? undefined : Math.max(0, Math.min(next, count - 1))
}

/** Returns the scroll position that is closest to the present one and has a row in view. */
export function scrollTopFor(row: number, { scrollTop, height, rowHeight }: RowView): number {
  const top = row * rowHeight
  return Math.max(top + rowHeight - height, Math.min(scrollTop, top))
}
