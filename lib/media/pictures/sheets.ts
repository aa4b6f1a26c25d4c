import type { PictureSize } from './keyframe-pictures.ts'

/** What one tile shows: the keyframe that stands for a stretch of the recording, in seconds. */
export interface Thumbnail {
  readonly time: number
  readonly start: number
  readonly end: number
}

/** So many tiles lie on one sheet: about 400 KB, which a phone fetches at once and decodes into 4 MB. */
export const THUMBNAILS_PER_SHEET = 60
const TILES_IN_ROW = 10
const MIN_INTERVAL = 2
const MAX_INTERVAL = 60
/** A minute each for a day. */
const MAX_TILES = 1440

/**
 * Seconds between tiles: a recording of up to an hour gets 60 tiles, no closer than 2 s, and a longer one a tile each minute.
 * So an hour costs one sheet, and 60 keyframes of a 1 GB file are under 1 % of it. There are never more than 1,440 tiles,
 * since damaged timestamps can make a recording seem to last for years.
 */
export function chooseInterval(duration: number): number {
  const usual = Math.min(MAX_INTERVAL, Math.max(MIN_INTERVAL, Math.round(duration / THUMBNAILS_PER_SHEET)))
  return Math.max(usual, duration / MAX_TILES)
}

/** Where a tile lies on its sheet, in pixels, and how large that sheet is. */
export const placeOnSheet = (index: number, { width, height }: PictureSize) => ({
  x: (index % TILES_IN_ROW) * width,
  y: Math.floor(index / TILES_IN_ROW) * height,
})

export const sheetSize = (tiles: number, { width, height }: PictureSize) => ({
  width: Math.min(tiles, TILES_IN_ROW) * width,
  height: Math.ceil(tiles / TILES_IN_ROW) * height,
})

/** Draws pictures (I420) beside one another as one picture; what is left of the last row is black. */
export function drawSheet(pictures: readonly Buffer[], size: PictureSize): Buffer {
  const sheet = sheetSize(pictures.length, size)
  const pixels = sheet.width * sheet.height
  const drawn = Buffer.alloc((pixels * 3) / 2, 128).fill(16, 0, pixels)
  for (const [index, picture] of pictures.entries()) {
    const place = placeOnSheet(index, size)
    let from = 0
    let to = 0
    for (const half of [1, 2, 2]) {
      const width = size.width / half
      const stride = sheet.width / half
      for (let row = 0; row < size.height / half; row++, from += width) {
        picture.copy(drawn, to + (place.y / half + row) * stride + place.x / half, from, from + width)
      }
      to += (stride * sheet.height) / half
    }
  }
  return drawn
}
