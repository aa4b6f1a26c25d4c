import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { LIVE_INIT } from '../../../lib/media/hls/live/kept-playlist.ts'
import { segmentName, writeLivePlaylist } from '../../../lib/media/hls/live/live-playlist.ts'
import { LIVE_SEGMENT_SECONDS } from '../../../lib/media/hls/live/live-timeline.ts'
import { headOf } from '../../../lib/media/hls/live/segment-list.ts'
import { LADDER_FILE, PLAYLIST_FILE } from '../media/encoding/broadcast-target.ts'
import type { Broadcaster } from '../media/media.ts'
import { DVR_FILE } from '../media/packaging/live-ladder.ts'

const compress = promisify(gzip)

/** An object of a mirrored broadcast. */
export interface MirroredObject {
  /** Relative to the broadcast's folder. */
  readonly name: string
  readonly body: Uint8Array
  readonly type: string
  readonly cacheControl: string
  /** Content encoding. @default none */
  readonly encoding?: string
}

interface MirrorOptions {
  readonly broadcaster: Pick<Broadcaster, 'timelines' | 'onParts' | 'ladder'>
  /** Folder of the broadcast's files. */
  readonly directory: string
  readonly dvr: boolean
  /** Writes an object. Rejects when it cannot be written. */
  put(object: MirroredObject): Promise<void>
  /** Runs work in the background. */
  run(work: () => Promise<void>): void
  /** Called once, when an object cannot be written. The mirror is given up then. */
  onFailure(error: unknown): void
}

const PLAYLIST = {
  type: 'application/vnd.apple.mpegurl',
  cacheControl: `public, max-age=${LIVE_SEGMENT_SECONDS / 2}`,
}
/** Bytes under a name never change. */
const IMMUTABLE = 'public, max-age=31536000, immutable'

/**
 * Mirrors the segments of a running broadcast, and playlists after them. A playlist never names a segment that is not written
 * yet. Each rendition has its own sequence of writes.
 */
export function startMirror({ broadcaster, directory, dvr, put, run, onFailure }: MirrorOptions): void {
  const { timelines = new Map(), ladder } = broadcaster
  let begun = 0
  let hasFailed = false
  /** Writes the playlist of all renditions once each of them has its own. */
  const begin = async () => {
    if (!ladder || ++begun < timelines.size) return
    const playlist = await ladder.multivariant(dvr ? 'event' : 'window')
    await put({ ...PLAYLIST, name: LADDER_FILE, body: Buffer.from(playlist ?? '') })
  }
  const renditions = [...timelines].map(([folder, timeline]) =>
    createRendition({ timeline, directory: join(directory, folder), folder: folder && `${folder}/`, dvr, put, begin }),
  )
  broadcaster.onParts?.(() => {
    for (const rendition of renditions) {
      if (!rendition.isWaiting() || hasFailed) continue
      run(() =>
        rendition
          .write(() => hasFailed)
          .catch((error) => {
            if (!hasFailed) onFailure(error)
            hasFailed = true
          }),
      )
    }
  })
}

interface RenditionOptions extends Pick<MirrorOptions, 'directory' | 'dvr' | 'put'> {
  readonly timeline: Parameters<typeof writeLivePlaylist>[0]
  /** Folder in the bucket with a trailing slash; empty for the broadcast's own. */
  readonly folder: string
  /** Called when the first playlist is written. */
  begin(): Promise<void>
}

function createRendition({ timeline, directory, folder, dvr, put, begin }: RenditionOptions) {
  /** Segments that are written. */
  let written = 0
  let hasEnded = false
  let isBusy = false
  const hasWork = () => written < timeline.segments.length || (timeline.hasEnded && !hasEnded)

  async function writeSegment(number: number): Promise<void> {
    const segment = timeline.segments.at(number)
    if (!segment) return
    if (number === 0) {
      const init = { type: 'video/mp4', cacheControl: IMMUTABLE, body: await readFile(join(directory, LIVE_INIT)) }
      await put({ ...init, name: folder + LIVE_INIT })
    }
    const { file, offset, size } = segment
    const body = await buffer(createReadStream(join(directory, file), { start: offset, end: offset + size - 1 }))
    await put({ name: folder + segmentName(number), body, type: 'video/iso.segment', cacheControl: IMMUTABLE })
  }

  async function writePlaylists(ended: boolean): Promise<void> {
    const stored = { segments: headOf(timeline.segments, written), current: [], hasEnded: ended }
    const write = (kind: 'window' | 'event') =>
      Buffer.from(writeLivePlaylist(stored, { kind, lowLatency: false, isStored: true }))
    await put({ ...PLAYLIST, name: folder + PLAYLIST_FILE, body: write('window') })
    if (!dvr) return
    const body = await compress(write('event')) // of four hours: 40 kB instead of 600
    await put({ ...PLAYLIST, name: folder + DVR_FILE, body, encoding: 'gzip' })
  }

  return {
    /** Returns true if there is something to write, and nothing is being written. */
    isWaiting: () => !isBusy && hasWork(),
    /** Writes what is new until nothing is left. Rejects when an object cannot be written. */
    async write(isGivenUp: () => boolean): Promise<void> {
      isBusy = true
      try {
        while (hasWork() && !isGivenUp()) {
          const isFirst = written === 0
          if (written < timeline.segments.length) {
            await writeSegment(written)
            written += 1
          }
          const isLast = timeline.hasEnded && written === timeline.segments.length
          if (written > 0) await writePlaylists(isLast)
          if (isFirst && written > 0) await begin()
          hasEnded = isLast
        }
      } finally {
        isBusy = false
      }
    },
  }
}
