/** Shape of a camera tile. */
const RATIO = 16 / 9

/** The arrangement of equal tiles in a frame. */
export interface Grid {
  readonly columns: number
  /** Pixels. */
  readonly tileWidth: number
}

/**
 * Returns the arrangement in which tiles are largest. If they would become smaller than `minWidth`, they keep that width, and
 * the frame scrolls.
 * @param frame width and height in pixels
 * @param gap pixels between tiles
 */
export function arrangeTiles(
  count: number,
  frame: { readonly width: number; readonly height: number },
  { gap, minWidth }: { readonly gap: number; readonly minWidth: number },
): Grid {
  let best: Grid = { columns: 1, tileWidth: 0 }
  for (let columns = 1; columns <= Math.max(1, count); columns += 1) {
    const rows = Math.ceil(count / columns)
    const byWidth = (frame.width - gap * (columns - 1)) / columns
    const byHeight = ((frame.height - gap * (rows - 1)) / rows) * RATIO
    const tileWidth = Math.floor(Math.min(byWidth, byHeight))
    if (tileWidth > best.tileWidth) best = { columns, tileWidth }
  }
  if (best.tileWidth >= minWidth) return best
  const columns = Math.max(1, Math.floor((frame.width + gap) / (minWidth + gap)))
  const tileWidth = Math.floor(Math.min(frame.width, (frame.width - gap * (columns - 1)) / columns))
  return { columns, tileWidth: Math.max(0, tileWidth) }
}
