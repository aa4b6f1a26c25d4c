import { createSteppedClock } from '../../lib/clock.ts'
import { createLivePlaylists } from '../../local/sandbox/media/packaging/live-playlists.ts'
import { packageLive } from '../../local/sandbox/media/packaging/packager.ts'
import { givenByParent, serveParent } from '../subprocess.ts'
import { createSyntheticEncoding } from './synthetic-encoding.ts'

/** Options of the process. */
export interface HoursOptions {
  /** Empty folder. */
  readonly directory: string
}

/** Asks for a broadcast of so many hours, as fast as possible. */
export interface HoursQuestion {
  readonly dvr: boolean
  readonly hours: number
}

/** Bytes after each hour: what the packager holds after a garbage collection, and the memory (RSS) of its process. */
export interface HoursAnswer {
  readonly held: readonly number[]
  readonly resident: readonly number[]
}

const SEGMENTS_PER_HOUR = 1800

const { directory } = givenByParent<HoursOptions>()
const { header, partsPerSegment, partOf } = await createSyntheticEncoding(directory)

serveParent({}, async ({ dvr, hours }: HoursQuestion): Promise<HoursAnswer> => {
  const playlists = createLivePlaylists({ dvr, lowLatency: !dvr }, createSteppedClock(0))
  const held: number[] = []
  const resident: number[] = []

  async function* encode() {
    yield header
    for (let segment = 0; segment < hours * SEGMENTS_PER_HOUR; segment++) {
      for (let part = 0; part < partsPerSegment; part++) yield partOf(segment, part)
      await playlists.playlist(dvr ? 'event' : 'window', { skip: segment > 0 }) // as players do meanwhile
      if ((segment + 1) % SEGMENTS_PER_HOUR > 0) continue
      globalThis.gc?.()
      const { heapUsed, arrayBuffers, rss } = process.memoryUsage()
      held.push(heapUsed + arrayBuffers)
      resident.push(rss)
    }
  }
  await packageLive(encode(), { directory, startTime: 0, onPart: playlists.addPart })
  playlists.end()
  return { held, resident }
})
