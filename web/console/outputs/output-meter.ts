import type { Show } from '../answers.ts'
import {
  bestVariant,
  kilobitsOf,
  newestSegments,
  type OutputMeasures,
  type Piece,
  type Segment,
} from './playlist-bitrate.ts'

/** Milliseconds between two readings of a playlist. */
const INTERVAL_MS = 10_000
/** Segments by which a bitrate is measured. */
const SEGMENTS = 5

/**
 * Creates a meter of the HLS broadcasts of a show. The platform reports no bitrate of an output, so it is computed from the newest
 * segments of the playlist.
 */
export function createOutputMeter() {
  const measured = new Map<string, OutputMeasures>()
  let readAt = Number.NEGATIVE_INFINITY
  return {
    /** Returns the latest measures by the tag of the broadcast, and reads again when it is time to. */
    measure({ broadcasts, status }: Pick<Show, 'broadcasts' | 'status'>, now: number): typeof measured {
      if (status !== 'live') measured.clear()
      if (status !== 'live' || document.hidden || now - readAt < INTERVAL_MS) return measured
      readAt = now
      for (const { tag, hls, status: own } of broadcasts)
        if (!hls || own === 'stopped') measured.delete(tag)
        else
          void readPlaylist(hls)
            .then((found) => measured.set(tag, found))
            .catch(() => {}) // it has no playlist yet
      return measured
    },
  }
}

async function readPlaylist(url: string): Promise<OutputMeasures> {
  const master = await readText(url)
  const variant = bestVariant(master, url)
  const playlist = variant ? await readText(variant.url) : master
  const segments = newestSegments(playlist, variant?.url ?? url, SEGMENTS)
  const pieces = await Promise.all(segments.map(sizeOf))
  return { framesPerSecond: variant?.frameRate, kilobits: kilobitsOf(pieces.flatMap((piece) => piece ?? [])) }
}

/** Returns the size of a segment, which its server states if the playlist does not. */
async function sizeOf({ url, seconds, bytes }: Segment): Promise<Piece | undefined> {
  const size = bytes ?? Number((await fetch(url, { method: 'HEAD' })).headers.get('content-length'))
  return size > 0 ? { bytes: size, seconds } : undefined
}

async function readText(url: string): Promise<string> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`The playlist was answered with ${response.status}.`)
  return response.text()
}
