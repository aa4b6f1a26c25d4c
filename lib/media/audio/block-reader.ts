import type { ByteSource } from '../byte-source.ts'

/**
 * Bytes taken at once. Where S3 takes 30 ms to answer and then gives 80 MB a second, a gap of 2.4 MB is as quick to read as to
 * leave out; gaps between the audio of a recording are a hundred times smaller, so that reading on beats a read for each packet.
 */
const GULP = 4 * 2 ** 20
/** The gulp being used, the one before (packets lie across two), and two that are on their way. */
const KEPT = 4
const AHEAD = 2

/**
 * Makes of many small reads that go forward a few large ones: whole gulps, of which the next two are fetched ahead as soon as
 * two in a row were wanted. Gulps in which nothing is wanted are left out. Holds 16 MiB at most, besides what is read.
 */
export function readInBlocks(source: ByteSource): ByteSource {
  const gulps = new Map<number, Promise<Uint8Array>>()
  let latest = -1
  const fetchGulp = (number: number) => {
    const known = gulps.get(number)
    if (known) return known
    const fetched = source.read(number * GULP, Math.min((number + 1) * GULP, source.size))
    fetched.catch(() => gulps.delete(number)) // told to whoever wants it; who asks again, asks the source again
    gulps.set(number, fetched)
    if (gulps.size > KEPT) gulps.delete(gulps.keys().next().value as number)
    return fetched
  }
  const take = (number: number) => {
    const wanted = fetchGulp(number)
    if (number === latest + 1) {
      for (let next = number + 1; next <= number + AHEAD && next * GULP < source.size; next++) fetchGulp(next)
    }
    latest = number
    return wanted
  }
  return {
    size: source.size,
    async read(start, end) {
      const parts: Uint8Array[] = []
      for (let at = start; at < end; ) {
        const number = Math.floor(at / GULP)
        const until = Math.min(end, (number + 1) * GULP)
        const gulp = await take(number)
        parts.push(gulp.subarray(at - number * GULP, until - number * GULP))
        at = until
      }
      return parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts)
    },
  }
}
