import { type Input, MP4 } from 'mediabunny'
import type { ByteSource } from '../byte-source.ts'
import { MediaError } from '../media-error.ts'
import { blameFile, withInput } from '../media-input.ts'
import { childrenOf, parseBoxHeader } from './boxes.ts'
import { MAX_SAMPLES } from './tables/sample-times.ts'
import { readInBlocks } from './tables/table-reader.ts'
import { type MoovPosition, surveyBoxes } from './top-level-boxes.ts'

export interface OpenMp4 {
  readonly input: Input
  readonly moovPosition: MoovPosition
}

export interface ReadingOptions {
  /**
   * Fetches around the bytes wanted. It turns a hundred thousand neighbouring packets into a few reads, and makes mediabunny ten
   * times faster at them, since each read has a place in its cache.
   * @default false
   */
  readonly ahead?: boolean
}

/** Opens an MP4 for the duration of `use`. @throws {@link MediaError} when the file is damaged */
export const withMp4 = <T>(
  source: ByteSource,
  use: (mp4: OpenMp4) => Promise<T>,
  { ahead = false }: ReadingOptions = {},
): Promise<T> =>
  blameMp4(source, async (watched) => {
    const { moovPosition, boxes } = await surveyBoxes(watched)
    if (moovPosition === 'fragmented') await requirePlausibleFragments(readInBlocks(watched), boxes.at(-1)?.end ?? 0)
    return withInput({ source: watched, formats: [MP4], ahead }, (input) => use({ input, moovPosition }))
  })

/** Reads an MP4 as `blameFile` does. */
export const blameMp4 = <T>(source: ByteSource, use: (watched: ByteSource) => Promise<T>): Promise<T> =>
  blameFile(source, use, 'The MP4 is damaged or cut off: its index cannot be read.')

/** A day in fragments of half a second. */
const MAX_FRAGMENTS = 200_000
/** Bytes; a fragment lists a few hundred packets in a few kilobytes. */
const MAX_FRAGMENT_INDEX = 2 ** 22

/**
 * Checks the packets that the fragments of a file claim against its size, before mediabunny creates an object for each: a few
 * bytes can claim four thousand million packets. Reads the index of every fragment.
 * @param from first possible byte of a fragment
 * @throws {@link MediaError} when they claim more packets than the file has room for
 */
async function requirePlausibleFragments(source: ByteSource, from: number): Promise<void> {
  const most = Math.min(MAX_SAMPLES, source.size)
  let [fragments, samples] = [0, 0]
  for (let at = from; at + 8 <= source.size; ) {
    const { type, content, end } = parseBoxHeader(
      Buffer.from(await source.read(at, Math.min(at + 16, source.size))),
      at,
    )
    const until = end === 'end of file' ? source.size : end
    if (type === 'moof') {
      if (++fragments > MAX_FRAGMENTS) throw damaged(`it has more than ${MAX_FRAGMENTS} fragments`)
      if (until - at > MAX_FRAGMENT_INDEX) throw damaged(`the index of a fragment claims ${until - at} bytes`)
      if (until > source.size) return // truncated, which the reader of the fragment reports
      samples += countSamples(Buffer.from(await source.read(content, until)))
      if (samples > most) throw damaged(`its fragments claim ${samples} packets, for which there is no room`)
    }
    at = until
  }
}

const damaged = (what: string) => new MediaError(`The MP4 is damaged: ${what}.`)

/** Counts the packets that all runs (trun) of a fragment's index claim. */
function countSamples(content: Buffer): number {
  let count = 0
  for (const child of childrenOf(content)) {
    if (child.type === 'traf') count += countSamples(child.content)
    if (child.type === 'trun' && child.content.length >= 8) count += child.content.readUInt32BE(4)
  }
  return count
}
