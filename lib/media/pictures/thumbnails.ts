import type { ByteSource } from '../byte-source.ts'
import { webVttTime } from '../captions/web-vtt-time.ts'
import { runFfmpeg } from '../ffmpeg/ffmpeg.ts'
import { streamIndex } from '../mp4/stream-mp4.ts'
import { jpegOutput } from './jpeg.ts'
import { decodePictures, fitInside, type PictureSize } from './keyframe-pictures.ts'
import { type KeyframeTrack, openKeyframes } from './keyframes.ts'

export interface ThumbnailsOptions {
  readonly ffmpegPath: string
  readonly source: ByteSource
  /** Seconds between thumbnails, more than 0. @default `chooseInterval`: 60 thumbnails for up to an hour */
  readonly interval?: number
}

/** A sprite sheet, or the list of cues, whose names are relative to its own place. */
export interface ThumbnailFile {
  readonly role: 'sprite' | 'thumbnails'
  /** `sprite-1.jpg`, `sprite-2.jpg` …, last `thumbnails.vtt`. */
  readonly name: string
  readonly contentType: string
  readonly bytes: Buffer
}

/** Pixels of the longer side of a thumbnail. */
const THUMBNAIL_LENGTH = 160
const QUALITY = 5

/**
 * Makes the thumbnails that a player shows above its time line: sprite sheets of 60, and WebVTT that maps each time range of
 * the recording to a part of a sheet (`sprite-1.jpg#xywh=160,0,160,90`). A thumbnail is the keyframe before the middle of its
 * range; ranges with the same keyframe share it. Reads the index and these keyframes only, and holds one sheet at a time.
 * Yields no files without video. A rotation in the file is not applied.
 * @throws {@link MediaError} for an incomplete MP4, for video that is not H.264 or cannot be decoded, and when ffmpeg fails
 */
export function makeThumbnails({ ffmpegPath, source, interval }: ThumbnailsOptions) {
  return streamIndex<ThumbnailFile>(source, async function* (mp4) {
    const keyframes = await openKeyframes(mp4, source, 'A thumbnail')
    if (!keyframes) return
    const thumbnails = await chooseThumbnails(keyframes, interval ?? chooseInterval(keyframes.end))
    const size = fitInside(keyframes, THUMBNAIL_LENGTH)
    for (let first = 0; first < thumbnails.length; first += THUMBNAILS_PER_SHEET) {
      const times = thumbnails.slice(first, first + THUMBNAILS_PER_SHEET).map(({ time }) => time)
      const pictures = await decodePictures(ffmpegPath, keyframes.read(times), size)
      const sheet = drawSheet(
        pictures.map(({ planes }) => planes),
        size,
      )
      const bytes = await encodeSheet(ffmpegPath, sheet, times.length, size)
      yield { role: 'sprite', name: sheetName(first), contentType: 'image/jpeg', bytes }
    }
    const bytes = Buffer.from(writeCues(thumbnails, size))
    yield { role: 'thumbnails', name: 'thumbnails.vtt', contentType: 'text/vtt', bytes }
  })
}

async function chooseThumbnails(keyframes: KeyframeTrack, interval: number): Promise<Thumbnail[]> {
  const thumbnails: Thumbnail[] = []
  const count = Math.max(1, Math.round(keyframes.end / interval)) // a remainder of less than half an interval joins the last one
  for (let n = 0; n < count; n++) {
    const start = n * interval
    const end = n === count - 1 ? keyframes.end : start + interval
    const time = await keyframes.timeAt((start + end) / 2)
    const last = thumbnails.at(-1)
    if (last?.time === time) thumbnails[thumbnails.length - 1] = { ...last, end }
    else thumbnails.push({ time, start, end })
  }
  return thumbnails
}

const sheetName = (thumbnail: number) => `sprite-${Math.floor(thumbnail / THUMBNAILS_PER_SHEET) + 1}.jpg`

function encodeSheet(ffmpegPath: string, sheet: Buffer, thumbnails: number, thumbnail: PictureSize): Promise<Buffer> {
  const size = sheetSize(thumbnails, thumbnail)
  const format = ['-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-s', `${size.width}x${size.height}`, '-i', 'pipe:0']
  return runFfmpeg(ffmpegPath, [...format, ...jpegOutput(size, QUALITY)], [sheet])
}

function writeCues(thumbnails: readonly Thumbnail[], size: PictureSize): string {
  const cues = thumbnails.map(({ start, end }, n) => {
    const { x, y } = placeOnSheet(n % THUMBNAILS_PER_SHEET, size)
    const place = `${sheetName(n)}#xywh=${x},${y},${size.width},${size.height}`
    return `${webVttTime(start)} --> ${webVttTime(end)}\n${place}\n`
  })
  return ['WEBVTT\n', ...cues].join('\n')
}

/** A thumbnail: the keyframe that represents a time range of the recording. In seconds. */
interface Thumbnail {
  readonly time: number
  readonly start: number
  readonly end: number
}

/** Thumbnails on a sheet: about 400 KB, which a phone fetches at once and decodes into 4 MB. */
const THUMBNAILS_PER_SHEET = 60
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
const placeOnSheet = (index: number, { width, height }: PictureSize) => ({
  x: (index % THUMBNAILS_PER_ROW) * width,
  y: Math.floor(index / THUMBNAILS_PER_ROW) * height,
})

/** Returns the size of a sheet with so many thumbnails, in pixels. */
const sheetSize = (thumbnails: number, { width, height }: PictureSize) => ({
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
