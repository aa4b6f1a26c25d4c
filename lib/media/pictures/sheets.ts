import type { PictureSize } from './keyframe-pictures.ts'

/** A thumbnail: the keyframe that represents a time range of the recording. In seconds. */
export interface Thumbnail {
  readonly time: number
  readonly start: number
  readonly end: number
}

/** Thumbnails on a sheet: about 400 KB, which a phone fetches at once and decodes into 4 MB. */
export const THUMBNAILS_PER_SHEET = 60
const THUMBNAILS_PER_ROW = 10
const MIN_INTERVAL = 2
const MAX_INTERVAL = 60
/** One per minute of a day. */
const MAX_THUMBNAILS = 1440

/**
 * Chooses the seconds between thumbnails: 60 thumbnails for up to an hour, at least 2 s apart, and one per minute for a
 * longer recording. An hour takes one sheet, and 60 keyframes of a 1 GB file are under 1 % of it. The number is bounded
 * by 1,440, since damaged timestamps can make a recording seem to last for years.
 */
export function chooseInterval(duration: number): number {
  const usual = Math.min(MAX_INTERVAL, Math.max(MIN_INTERVAL, Math.round(duration / THUMBNAILS_PER_SHEET)))
  return Math.max(usual, duration / MAX_THUMBNAILS)
}

/** Returns the position of a thumbnail on its sheet, in pixels. */
export const placeOnSheet = (index: number, { width, height }: PictureSize) => ({
  x: (index % THUMBNAILS_PER_ROW) * width,
  y: Math.floor(index / THUMBNAILS_PER_ROW) * height,
})

/** Returns the size of a sheet with so many thumbnails, in pixels. */
export const sheetSize = (thumbnails: number, { width, height }: PictureSize) => ({
  width: Math.min(thumbnails, THUMBNAILS_PER_ROW) * width,
  height: Math.ceil(thumbnails / THUMBNAILS_PER_ROW) * height,
})

/** Draws pictures (I420) side by side as one picture; the unused part of the last row is black. */
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
