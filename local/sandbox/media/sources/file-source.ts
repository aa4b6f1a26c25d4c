import { createPicture, isSameSize, type Picture, type Rect, type Size, wholeOf } from '../composing/picture.ts'
import { createDecoder } from './decoder.ts'
import { createReel } from './reel.ts'
import type { Source } from './source.ts'
import type { SourceFile } from './source-file.ts'

/** Lines per band in which changes are detected. */
const BAND = 16

/**
 * Creates the source of a file in a loop. Its frames count from `first`, the frame of its publishing, whether or not they
 * were drawn. If the file is cut off, the rest is silent and black. It is decoded in the size in which it is drawn, and only
 * its audio until it is drawn at all. `turn` is its place among all sources.
 */
export function createFileSource(ffmpegPath: string, file: SourceFile, first: number, turn: number): Source {
  const reel = createReel(file.frames, turn, (from, size) => createDecoder(ffmpegPath, file, from, size))
  const darkness = createPicture(2, 2)
  let shown: number | undefined
  let isSeen = false

  const source = {
    width: file.width,
    height: file.height,
    picture: darkness,
    changed: [] as readonly Rect[],
    audio: undefined as Int16Array | undefined,
    async show(frame: number, size?: Size) {
      source.changed = []
      if (frame === shown) return
      shown = frame
      isSeen ||= file.hasVideo && size !== undefined
      if (!isSeen && !file.hasAudio) return
      const { picture, audio } = await reel.frameAt(frame - first, isSeen ? size : undefined)
      source.audio = audio
      source.changed = take(picture)
    },
    close: reel.close,
  }

  function take(now: Picture | undefined): readonly Rect[] {
    const { picture } = source
    if (now && picture !== darkness && isSameSize(now, picture)) return replace(picture, now)
    if (!now && picture === darkness) return []
    source.picture = now ? createPicture(now.width, now.height, now.data.slice()) : darkness
    return [wholeOf(source.picture)]
  }

  return source
}

/** Replaces a picture by another of its size, and returns the bands that differ, joined where they touch. */
function replace({ data, width, height }: Picture, by: Picture): Rect[] {
  const [before, now] = [Buffer.from(data.buffer), Buffer.from(by.data.buffer)]
  const colour = width * height
  const isSame = (start: number, end: number) => before.compare(now, start, end, start, end) === 0
  const isSameBand = (top: number, bottom: number) =>
    isSame(top * width, bottom * width) &&
    isSame(colour + (top * width) / 4, colour + (bottom * width) / 4) &&
    isSame(colour * 1.25 + (top * width) / 4, colour * 1.25 + (bottom * width) / 4)

  const parts: Rect[] = []
  for (let y = 0; y < height; y += BAND) {
    const bottom = Math.min(y + BAND, height)
    if (isSameBand(y, bottom)) continue
    const last = parts.at(-1)
    const top = last && last.y + last.height === y ? (parts.pop() as Rect).y : y
    parts.push({ x: 0, y: top, width, height: bottom - top })
  }
  data.set(by.data)
  return parts
}
