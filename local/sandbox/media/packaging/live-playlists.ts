import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../../../lib/clock.ts'
import { parseKept } from '../../../../lib/media/hls/live/kept-playlist.ts'
import {
  type LivePlaylistForm,
  type RenditionReport,
  writeLivePlaylist,
} from '../../../../lib/media/hls/live/live-playlist.ts'
import type { LivePart } from '../../../../lib/media/hls/live/live-segment.ts'
import { createLiveTimeline, LIVE_SEGMENT_SECONDS } from '../../../../lib/media/hls/live/live-timeline.ts'
import { judgeReload, type ReloadRequest } from '../../../../lib/media/hls/live/reload.ts'
import { PLAYLIST_FILE } from '../encoding/broadcast-target.ts'
import type { HlsSettings, KeptFile, LivePlaylists } from '../media.ts'
import { ReloadError } from './reload-error.ts'

/** Milliseconds for which a request is held: three target durations (RFC 8216bis, 6.2.5.2). */
const HOLD_MS = 3 * LIVE_SEGMENT_SECONDS * 1000

/**
 * Creates the playlists of a running broadcast. The listener receives its parts.
 * @param reports returns the ends of other renditions' playlists. @default none
 */
export function createLivePlaylists(
  hls: HlsSettings,
  clock: Clock,
  reports: () => readonly RenditionReport[] = () => [],
) {
  const timeline = createLiveTimeline([], hls.dvr ? 'all' : 'newest')
  const waiting = new Set<() => void>()
  const wake = () => {
    for (const resume of [...waiting]) resume()
  }

  /** Waits for the next part. Resolves with false when the hold is over. */
  const nextPart = (until: number) =>
    new Promise<boolean>((resolve) => {
      const finish = (hasPart: boolean) => {
        waiting.delete(resume)
        timer.cancel()
        resolve(hasPart)
      }
      const resume = () => finish(true)
      const timer = clock.at(until, () => finish(false))
      waiting.add(resume)
    })

  const playlists: LivePlaylists = {
    async playlist(kind = 'window', request = { skip: false }) {
      const { segment, part, skip } = request
      const until = clock.now() + HOLD_MS
      const wanted = hls.lowLatency ? { segment, part } : {}
      for (;;) {
        const verdict = judgeReload(timeline, wanted)
        if (verdict === 'ahead') throw new ReloadError('ahead')
        if (verdict === 'now') break
        if (!(await nextPart(until))) throw new ReloadError('late')
      }
      if (timeline.segments.length === 0) return undefined
      return writeLivePlaylist(timeline, { ...formOf(hls, kind), skip, reports: reports() })
    },
    async locate(name) {
      const until = clock.now() + HOLD_MS
      for (;;) {
        const found = rangeOf(timeline, name)
        if (found !== 'next') return found
        if (timeline.hasEnded || !(await nextPart(until))) return undefined
      }
    },
  }
  return {
    ...playlists,
    timeline,
    addPart(part: LivePart): void {
      timeline.add(part)
      wake()
    },
    /** Ends the playlists; every held request is answered. */
    end(): void {
      if (!timeline.hasEnded) timeline.end()
      wake()
    },
  }
}

/** Opens the playlists that a broadcast of an earlier process has left. They have ended. */
export async function openLeftPlaylists(directory: string, hls: HlsSettings): Promise<LivePlaylists> {
  const timeline = await readKept(directory)
  timeline.end()
  return {
    async playlist(kind = 'window', { skip }: ReloadRequest = { skip: false }) {
      if (timeline.segments.length === 0) return undefined
      return writeLivePlaylist(timeline, { ...formOf(hls, kind), skip })
    },
    async locate(name) {
      const found = rangeOf(timeline, name)
      return found === 'next' ? undefined : found
    },
  }
}

/** Finds the bytes of a segment that a running broadcast no longer lists, such as one of a clip. Its files have all segments. */
export async function locateKept(directory: string, name: string): Promise<KeptFile | undefined> {
  const found = rangeOf(await readKept(directory), name)
  return found === 'next' ? undefined : found
}

const readKept = async (directory: string) =>
  createLiveTimeline(parseKept(await readFile(join(directory, PLAYLIST_FILE), 'utf8').catch(() => '')))

const formOf = ({ dvr, lowLatency }: HlsSettings, kind: LivePlaylistForm['kind']) => ({
  kind: dvr ? kind : ('window' as const),
  lowLatency,
})

const NAME = /^(?:segment-(\d{5,9})|part-(\d{5,9})\.(\d{1,4}))\.m4s$/

/** Finds the bytes of a segment or part; `next` for the part that playlists announce. */
function rangeOf(
  { segments, current }: Pick<ReturnType<typeof createLiveTimeline>, 'segments' | 'current'>,
  name: string,
): KeptFile | 'next' | undefined {
  const [, segment, ofSegment, part] = NAME.exec(name) ?? []
  if (segment !== undefined) return segments.at(Number(segment))
  if (ofSegment === undefined) return undefined
  const open = segments.length
  const isOpen = Number(ofSegment) === open
  const parts = isOpen ? current : segments.at(Number(ofSegment))?.parts
  return parts?.[Number(part)] ?? (isOpen && Number(part) === current.length ? 'next' : undefined)
}
