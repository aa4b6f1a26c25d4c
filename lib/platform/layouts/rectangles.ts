/** Width and height in pixels; those of pictures are even. */
export interface Size {
  readonly width: number
  readonly height: number
}

/** Part of a picture. Coordinates are even, so that they fall on whole pixels of the colour planes. */
export interface Rect extends Size {
  readonly x: number
  readonly y: number
}

/** Rounds down to an even number. */
export const even = (value: number) => 2 * Math.floor(value / 2)
