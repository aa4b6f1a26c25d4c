import { BLACK, createPicture, fill, type Picture, type Rect } from '../composing/picture.ts'
import type { Source } from '../pattern/pattern.ts'
import { FRAMES_PER_SECOND } from '../timebase.ts'
import { bytesOf, createDecoder, type Track } from './decoder.ts'
import { createReel } from './reel.ts'
import type { SourceFile } from './source-file.ts'

/** The last picture stays for so long where the file has none; then it is black. */
const LONGEST_HOLD_FRAMES = FRAMES_PER_SECOND
/** What has changed is found in bands of so many lines. */
const BAND = 16

/**
 * Makes a participant of a file, which begins again when it is over: its frame n is what frame n since `first`, the frame of
 * its publishing, shows, whether or not anybody has looked before. Where the file breaks off it is silent and black.
 */
export function createFileSource(ffmpegPath: string, file: SourceFile, first: number): Source {
  const picture = createPicture(file.width, file.height)
  const reelOf = (track: Track) =>
    createReel(file.frames, bytesOf(track, file), (from) => createDecoder(ffmpegPath, file, track, from))
  const pictures = file.hasVideo ? reelOf('picture') : undefined
  const sounds = file.hasAudio ? reelOf('sound') : undefined
  const whole: Rect = { x: 0, y: 0, width: file.width, height: file.height }
  let shown: number | undefined
  let held = LONGEST_HOLD_FRAMES
  let changed: readonly Rect[] = []
  let sound: Int16Array | undefined

  function take(bytes: Uint8Array | undefined): readonly Rect[] {
    if (bytes) {
      held = 0
      return replace(picture, bytes)
    }
    if (++held !== LONGEST_HOLD_FRAMES) return []
    fill(picture, BLACK)
    return [whole]
  }

  return {
    picture,
    get changed() {
      return changed
    },
    get sound() {
      return sound
    },
    async show(frame) {
      changed = []
      if (frame === shown) return
      const place = (frame - first) % file.frames
      const [seen, heard] = await Promise.all([pictures?.frameAt(place), sounds?.frameAt(place)])
      if (pictures) changed = take(seen)
      sound = heard && new Int16Array(heard.buffer)
      shown = frame
    },
    async close() {
      await Promise.all([pictures?.close(), sounds?.close()])
    },
  }
}

/** Puts new bytes into a picture; the bands that differ from before, joined where they touch. */
function replace({ data, width, height }: Picture, bytes: Uint8Array): Rect[] {
  const [before, now] = [Buffer.from(data.buffer), Buffer.from(bytes.buffer)]
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
  data.set(bytes)
  return parts
}
