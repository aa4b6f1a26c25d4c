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
  /** Seconds between tiles, more than 0; by default what `chooseInterval` finds, 60 tiles for up to an hour. */
  readonly interval?: number
}

/** One file of the thumbnails; the names in `thumbnails.vtt` are relative to where it lies. */
export interface ThumbnailFile {
  readonly role: 'sprite' | 'thumbnails'
  /** `sprite-1.jpg`, `sprite-2.jpg` …, last `thumbnails.vtt`. */
  readonly name: string
  readonly contentType: string
  readonly bytes: Buffer
}

/** Pixels of the longer side of a tile. */
const TILE_LENGTH = 160
const QUALITY = 5

/**
 * Makes the pictures a player shows above its time line: sheets of 60 tiles, and WebVTT that names for each stretch of the
 * recording the part of a sheet to show (`sprite-1.jpg#xywh=160,0,160,90`). A tile is the keyframe before the middle of its
 * stretch; stretches that share a keyframe share the tile. Reads the index and these keyframes only, and holds one sheet at a
 * time. No files when there is no video. A rotation noted in the file is not applied.
 * @throws MediaError for a file that is no whole MP4, for video that is not H.264 or cannot be decoded, and when ffmpeg fails;
 *   whatever the source rejects with, unchanged
 */
export function makeThumbnails({ ffmpegPath, source, interval }: ThumbnailsOptions) {
  return streamIndex<ThumbnailFile>(source, async function* (mp4) {
    const keyframes = await openKeyframes(mp4, source, 'A thumbnail')
    if (!keyframes) return
    const tiles = await chooseTiles(keyframes, interval ?? chooseInterval(keyframes.end))
    const size = fitInside(keyframes, TILE_LENGTH)
    for (let first = 0; first < tiles.length; first += THUMBNAILS_PER_SHEET) {
      const times = tiles.slice(first, first + THUMBNAILS_PER_SHEET).map(({ time }) => time)
      const pictures = await decodePictures(ffmpegPath, keyframes.read(times), size)
      const sheet = drawSheet(
        pictures.map(({ planes }) => planes),
        size,
      )
      const bytes = await encodeSheet(ffmpegPath, sheet, times.length, size)
      yield { role: 'sprite', name: sheetName(first), contentType: 'image/jpeg', bytes }
    }
    const bytes = Buffer.from(describeTiles(tiles, size))
    yield { role: 'thumbnails', name: 'thumbnails.vtt', contentType: 'text/vtt', bytes }
  })
}

async function chooseTiles(keyframes: KeyframeTrack, interval: number): Promise<Thumbnail[]> {
  const tiles: Thumbnail[] = []
  const count = Math.max(1, Math.round(keyframes.end / interval)) // the last one takes less than half of one with it
  for (let n = 0; n < count; n++) {
    const start = n * interval
    const end = n === count - 1 ? keyframes.end : start + interval
    const time = await keyframes.timeAt((start + end) / 2)
    const last = tiles.at(-1)
    if (last?.time === time) tiles[tiles.length - 1] = { ...last, end }
    else tiles.push({ time, start, end })
  }
  return tiles
}

const sheetName = (tile: number) => `sprite-${Math.floor(tile / THUMBNAILS_PER_SHEET) + 1}.jpg`

function encodeSheet(ffmpegPath: string, sheet: Buffer, tiles: number, tile: PictureSize): Promise<Buffer> {
  const size = sheetSize(tiles, tile)
  const format = ['-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-s', `${size.width}x${size.height}`, '-i', 'pipe:0']
  return runFfmpeg(ffmpegPath, [...format, ...jpegOutput(size, QUALITY)], [sheet])
}

function describeTiles(tiles: readonly Thumbnail[], size: PictureSize): string {
  const cues = tiles.map(({ start, end }, n) => {
    const { x, y } = placeOnSheet(n % THUMBNAILS_PER_SHEET, size)
    const place = `${sheetName(n)}#xywh=${x},${y},${size.width},${size.height}`
    return `${webVttTime(start)} --> ${webVttTime(end)}\n${place}\n`
  })
  return ['WEBVTT\n', ...cues].join('\n')
}
