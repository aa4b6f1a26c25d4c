/** In pixels; all are even, as 4:2:0 needs them. */
export interface Rect {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Width by height of the picture that cells are sized for. */
const USUAL_SHAPE = 16 / 9
/** The share of the width that screens have beside cameras. */
const SCREENS_SHARE = 3 / 4

/** Arranges the screens and the other pictures of one moment: screens are large at the left where there are both. */
export function arrange(frame: Rect, screens: number, others: number): { screens: Rect[]; others: Rect[] } {
  if (screens === 0 || others === 0) return { screens: grid(frame, screens), others: grid(frame, others) }
  const width = even(frame.width * SCREENS_SHARE)
  const right = { ...frame, x: frame.x + width, width: frame.width - width }
  return { screens: grid({ ...frame, width }, screens), others: grid(right, others) }
}

/** Divides a frame into cells of one size, with the number of columns that shows the usual picture largest. Centres the last row. */
export function grid(frame: Rect, count: number): Rect[] {
  const sizes = Array.from({ length: count }, (_, index) => {
    const [columns, rows] = [index + 1, Math.ceil(count / (index + 1))]
    const cell = { width: even(frame.width / columns), height: even(frame.height / rows) }
    return { columns, rows, ...cell, shown: Math.min(cell.width, cell.height * USUAL_SHAPE) }
  })
  const best = sizes.reduce((one, other) => (other.shown >= one.shown ? other : one), sizes[0] ?? NO_CELL)
  const { columns, rows, width, height } = best
  return Array.from({ length: count }, (_, index) => {
    const row = Math.floor(index / columns)
    const inRow = row === rows - 1 ? count - row * columns : columns
    const left = even((frame.width - inRow * width) / 2)
    const top = even((frame.height - rows * height) / 2)
    return { x: frame.x + left + (index % columns) * width, y: frame.y + top + row * height, width, height }
  })
}

const NO_CELL = { columns: 1, rows: 0, width: 0, height: 0, shown: 0 }

/** Returns the largest picture of this shape, in the middle of a cell. */
export function fit({ x, y, width, height }: Rect, shape: number): Rect {
  const fitted = {
    width: Math.max(2, Math.min(width, even(height * shape))),
    height: Math.max(2, Math.min(height, even(width / shape))),
  }
  return { x: x + even((width - fitted.width) / 2), y: y + even((height - fitted.height) / 2), ...fitted }
}

const even = (pixels: number) => 2 * Math.floor(pixels / 2)
