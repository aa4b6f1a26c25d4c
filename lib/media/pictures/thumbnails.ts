import type { ByteSource } from '../byte-source.ts'
import { webVttTime } from '../captions/web-vtt-time.ts'
import { runFfmpeg } from '../ffmpeg/ffmpeg.ts'
import { streamIndex } from '../mp4/stream-mp4.ts'
import { jpegOutput } from './jpeg.ts'
import { decodePictures, fitInside, type PictureSize } from './keyframe-pictures.ts'
import { type KeyframeTrack, openKeyframes } from './keyframes.ts'
import { chooseInterval, drawSheet, placeOnSheet, sheetSize, THUMBNAILS_PER_SHEET, type Thumbnail } from './sheets.ts'

export interface ThumbnailsOptions {
  readonly ffmpegPath: string
  readonly source: ByteSource
  /**
   * Seconds between thumbnails, more than 0.
   * @default the result of `chooseInterval`: 60 thumbnails for up to an hour
   */
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
 * Makes the thumbnails that a player shows above its time line: sprite sheets of 60, and WebVTT that maps each time
 * range of the recording to a part of a sheet (`sprite-1.jpg#xywh=160,0,160,90`). A thumbnail is the keyframe before
 * the middle of its range; ranges with the same keyframe share it. Reads the index and these keyframes only, and holds
 * one sheet at a time. Yields no files without video. A rotation in the file is not applied.
 * @throws {@link MediaError} for an incomplete MP4, for video that is not H.264 or cannot be decoded, and when ffmpeg
 *   fails; errors of the source pass through unchanged
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
