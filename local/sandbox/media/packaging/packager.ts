import { appendFile, type FileHandle, open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { KEPT_END, keptEntry, keptHeader, LIVE_INIT } from '../../../../lib/media/hls/live/kept-playlist.ts'
import { type LiveFragment, liveFragmentsIn } from '../../../../lib/media/hls/live/live-fragments.ts'
import type { LivePart, LiveSegment } from '../../../../lib/media/hls/live/live-segment.ts'
import { createSegmenter } from '../../../../lib/media/hls/live/live-timeline.ts'
import { PLAYLIST_FILE } from '../encoding/broadcast-target.ts'

/** Seconds after which a new media file is begun. */
const FILE_SECONDS = 1800

export interface PackagerOptions {
  /** Existing folder of the broadcast. */
  readonly directory: string
  /** Time of the first frame, in milliseconds since the epoch. */
  readonly startTime: number
  /** Called with each part as soon as its bytes are in the file. */
  readonly onPart: (part: LivePart) => void
}

/**
 * Packages a live encoding: its fragments are the parts. Segments are byte ranges of a few media files, and the playlist
 * beside them lists all segments. Resolves at the end of the encoding.
 * @throws Error when a file cannot be written
 */
export async function packageLive(
  encoding: AsyncIterable<Buffer>,
  { directory, startTime, onPart }: PackagerOptions,
): Promise<void> {
  const segmenter = createSegmenter()
  let isBegun = false
  const playlist = join(directory, PLAYLIST_FILE)
  const media = createMediaFiles(directory)
  const keep = async (segment: LiveSegment | undefined) => {
    if (!segment) return
    await appendFile(playlist, (isBegun ? '' : keptHeader()) + keptEntry(segment))
    isBegun = true
  }
  const add = async (fragment: LiveFragment) => {
    const { start, duration, isIndependent, bytes } = fragment
    const place = await media.append(bytes, segmenter.current.length === 0 ? start : undefined)
    const part = { ...place, start: startTime + start * 1000, duration, isIndependent }
    await keep(segmenter.add(part))
    onPart(part)
  }
  try {
    for await (const piece of liveFragmentsIn(encoding)) {
      if ('init' in piece) await writeFile(join(directory, LIVE_INIT), piece.init)
      else await add(piece.fragment)
    }
    await keep(segmenter.end())
    if (isBegun) await appendFile(playlist, KEPT_END)
  } finally {
    await media.close()
  }
}

/** Creates the media files of a broadcast. Segments are not divided between two of them. */
function createMediaFiles(directory: string) {
  let handle: FileHandle | undefined
  let file = ''
  let offset = 0

  return {
    /** Appends a part. @param segmentStart seconds, for the first part of a segment */
    async append(bytes: Buffer, segmentStart: number | undefined) {
      const next = segmentStart === undefined ? file : `media-${Math.floor(segmentStart / FILE_SECONDS)}.m4s`
      if (next !== file) {
        await handle?.close()
        handle = await open(join(directory, next), 'w')
        file = next
        offset = 0
      }
      await handle?.writeFile(bytes)
      const place = { file, offset, size: bytes.length }
      offset += bytes.length
      return place
    },
    async close() {
      await handle?.close()
    },
  }
}
