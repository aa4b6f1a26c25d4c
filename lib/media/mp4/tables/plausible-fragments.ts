import type { ByteSource } from '../../byte-source.ts'
import { MediaError } from '../../media-error.ts'
import { childrenOf, parseBoxHeader } from '../boxes.ts'
import { MAX_SAMPLES } from './sample-times.ts'

/** A day in fragments of half a second. */
const MAX_FRAGMENTS = 200_000
/** Bytes; a fragment lists a few hundred packets in a few kilobytes. */
const MAX_FRAGMENT_INDEX = 2 ** 22

/**
 * Checks the packets that the fragments of a file claim against its size, before mediabunny creates an object for each:
 * a few bytes can claim four thousand million packets. Reads the index of every fragment.
 * @param from first possible byte of a fragment
 * @throws {@link MediaError} when they claim more packets than the file has room for; errors of the source pass through
 *   unchanged
 */
export async function requirePlausibleFragments(source: ByteSource, from: number): Promise<void> {
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
