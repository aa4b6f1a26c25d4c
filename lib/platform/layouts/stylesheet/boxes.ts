import type { Rect, Size } from '../rectangles.ts'
import type { Length, Style } from './properties.ts'

/** Place of a stream's box, and its depth: boxes with a greater depth are painted later. */
export interface StyledBox {
  readonly rect: Rect
  readonly depth: number
}

interface Sides {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

interface Floating extends Sides {
  readonly side: 'left' | 'right'
}

/**
 * Places boxes in a frame as CSS 2.1 places empty ones (9.4 to 9.6 and 10). A stream has no intrinsic size, so that it is
 * invisible without a height. A box that is not displayed is undefined.
 */
export function placeBoxes(styles: readonly Style[], frame: Size): (StyledBox | undefined)[] {
  const floats: Floating[] = []
  /** Lower edge of the last block, and the margins below it, which collapse with the next block's top margin. */
  let edge = 0
  let marginsBelow: number[] = []

  const bottomOf = (clear: Style['clear']) =>
    Math.max(...floats.filter(({ side }) => clear === 'both' || side === clear).map(({ bottom }) => bottom))

  const placeBlock = (style: Style): Rect => {
    const margin = marginsOf(style, frame)
    const size = sizeOf(style, frame, { width: frame.width - margin.left - margin.right, height: 0 })
    const isEmpty = size.height === 0 // then its own margins touch, too
    const above = [...marginsBelow, margin.top, ...(isEmpty ? [margin.bottom] : [])]
    const y = Math.max(edge + collapse(above), bottomOf(style.clear))
    if (!isEmpty) edge = y + size.height
    marginsBelow = isEmpty ? above : [margin.bottom]
    return { x: margin.left, y, ...size }
  }

  /** Places a float as high and as far to its side as earlier floats leave room, and not above them. */
  const placeFloat = (style: Style, side: 'left' | 'right'): Rect => {
    const margin = marginsOf(style, frame)
    const size = sizeOf(style, frame, { width: 0, height: 0 })
    const outer = { width: size.width + margin.left + margin.right, height: size.height + margin.top + margin.bottom }
    const highest = Math.max(edge + collapse(marginsBelow), bottomOf(style.clear), ...floats.map(({ top }) => top))
    const levels = [highest, ...floats.map(({ bottom }) => bottom).filter((bottom) => bottom > highest)]
    for (const top of levels.toSorted((a, b) => a - b)) {
      const beside = floats.filter(({ left, right, bottom }) => bottom > top && right > left)
      const left = Math.max(0, ...beside.filter((other) => other.side === 'left').map(({ right }) => right))
      const right = Math.min(frame.width, ...beside.filter((other) => other.side === 'right').map(({ left }) => left))
      if (beside.length > 0 && outer.width > right - left + ROUNDING) continue
      const x = side === 'left' ? left : right - outer.width
      floats.push({ side, left: x, right: x + outer.width, top, bottom: top + outer.height })
      return { x: x + margin.left, y: top + margin.top, ...size }
    }
    throw new Error('There is no room for a float below all others.')
  }

  return styles.map((style) => {
    if (style.display === 'none') return undefined
    if (style.position === 'absolute') {
      const rect = placeAbsolute(style, frame, edge + collapse(marginsBelow))
      return { rect, depth: depthOf(style) }
    }
    const rect = style.float === 'none' ? placeBlock(style) : placeFloat(style, style.float)
    return { rect: style.position === 'relative' ? shift(rect, style, frame) : rect, depth: depthOf(style) }
  })
}

/** Tolerance in pixels: sums such as three times 33.33% differ by rounding. */
const ROUNDING = 0.01

function placeAbsolute(style: Style, frame: Size, flow: number): Rect {
  const margin = marginsOf(style, frame)
  const left = resolve(style.left, frame.width)
  const right = resolve(style.right, frame.width)
  const top = resolve(style.top, frame.height)
  const bottom = resolve(style.bottom, frame.height)
  const between = (length: number, from?: number, to?: number) =>
    from === undefined || to === undefined ? 0 : Math.max(0, length - from - to)
  const size = sizeOf(style, frame, {
    width: between(frame.width - margin.left - margin.right, left, right),
    height: between(frame.height - margin.top - margin.bottom, top, bottom),
  })
  const place = (near: number | undefined, far: number | undefined, length: number, flowing: number) =>
    near ?? (far === undefined ? flowing : length - far)
  const outer = { width: size.width + margin.left + margin.right, height: size.height + margin.top + margin.bottom }
  return {
    x: place(left, right, frame.width - outer.width, 0) + margin.left,
    y: place(top, bottom, frame.height - outer.height, flow) + margin.top,
    ...size,
  }
}

/** Shifts a relative box. If opposite sides are given, left and top win. */
function shift(rect: Rect, style: Style, frame: Size): Rect {
  const right = resolve(style.right, frame.width) ?? 0
  const bottom = resolve(style.bottom, frame.height) ?? 0
  return {
    ...rect,
    x: rect.x + (resolve(style.left, frame.width) ?? -right),
    y: rect.y + (resolve(style.top, frame.height) ?? -bottom),
  }
}

/** Paints negative z-indexes first, then blocks, floats and positioned boxes by their z-index. */
function depthOf({ position, float, 'z-index': depth }: Style): number {
  if (position === 'static') return float === 'none' ? 0 : FLOATS
  const level = depth === 'auto' ? 0 : depth
  return level < 0 ? level : level + POSITIONED
}

const FLOATS = 1
const POSITIONED = 2

/** Collapses adjoining margins: the greatest, less the most negative. */
function collapse(margins: readonly number[]): number {
  return Math.max(0, ...margins) + Math.min(0, ...margins)
}

/** Returns margins in pixels. Percentages are of the width, also for top and bottom. */
function marginsOf(style: Style, { width }: Size): Sides {
  return {
    left: resolve(style['margin-left'], width),
    right: resolve(style['margin-right'], width),
    top: resolve(style['margin-top'], width),
    bottom: resolve(style['margin-bottom'], width),
  }
}

function sizeOf(style: Style, frame: Size, automatic: Size): Size {
  const within = (value: number, least: Length, most: Length | 'none', of: number) =>
    Math.max(0, resolve(least, of), Math.min(value, resolve(most, of) ?? value))
  return {
    width: within(
      resolve(style.width, frame.width) ?? automatic.width,
      style['min-width'],
      style['max-width'],
      frame.width,
    ),
    height: within(
      resolve(style.height, frame.height) ?? automatic.height,
      style['min-height'],
      style['max-height'],
      frame.height,
    ),
  }
}

function resolve(length: Length, of: number): number
function resolve(length: Length | string, of: number): number | undefined
function resolve(length: Length | string, of: number): number | undefined {
  if (typeof length === 'string') return undefined
  return length.unit === '%' ? (length.value * of) / 100 : length.value
}
