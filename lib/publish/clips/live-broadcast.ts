import { text } from 'node:stream/consumers'
import type { Clock } from '../../clock.ts'
import {
  type ClockSpan,
  type LiveList,
  limitList,
  readLiveList,
  writeLiveClip,
} from '../../media/hls/playlists/live-clip-playlist.ts'
import { withUris } from '../../media/hls/playlists/uris.ts'
import type { Services } from '../../services.ts'
import { LIVE_PLAYLIST } from '../manifest/clip.ts'

/** The playlists of a broadcast, as the platform serves them now. */
export interface LiveBroadcast {
  /** The master playlist with the names of the media playlists in place of URIs; absent for a broadcast of one playlist. */
  readonly master?: string
  /** The media playlists, in the order of their names. */
  readonly lists: readonly LiveList[]
  /** The times that every list has, in milliseconds since the epoch. */
  readonly kept: ClockSpan
}

/** Milliseconds for the platform’s playlists. */
const READ_MS = 5_000

/**
 * Reads the playlists of a broadcast. Returns undefined if they cannot be read now, or no clip can be cut of their segments:
 * they need fragmented MP4 and the times of segments.
 */
export async function readBroadcast(
  url: string,
  { download, clock }: Pick<Services, 'download' | 'clock'>,
): Promise<LiveBroadcast | undefined> {
  const { signal, cancel } = deadline(clock)
  const read = async (uri: string) => text(await download(uri, { signal }))
  try {
    const first = await read(url)
    if (!isMaster(first)) return broadcastOf([readLiveList(first, url)])
    const uris: string[] = []
    const master = withUris(withoutIframes(first), (uri) => {
      const absolute = new URL(uri, url).href
      if (!uris.includes(absolute)) uris.push(absolute)
      return mediaName(uris.indexOf(absolute))
    })
    const lists = await Promise.all(uris.map(async (uri) => readLiveList(await read(uri), uri)))
    return broadcastOf(lists, master)
  } catch {
    return undefined // the caller explains what to do instead
  } finally {
    cancel()
  }
}

function broadcastOf(found: readonly (LiveList | undefined)[], master?: string): LiveBroadcast | undefined {
  const lists = found.filter((list) => list !== undefined)
  if (lists.length < found.length || lists.some(({ segments }) => segments.length === 0)) return undefined
  const starts = lists.map(({ segments }) => segments[0]?.start ?? 0)
  const ends = lists
    .map(({ segments }) => segments.at(-1))
    .map((last) => (last ? last.start + last.duration * 1000 : 0))
  const kept = { from: Math.max(...starts), to: Math.min(...ends) }
  return { ...(master !== undefined && { master }), lists, kept }
}

/** Writes the playlists of a clip, which name the segments of the broadcast. */
export function writeClipPlaylists(
  { master, lists }: LiveBroadcast,
  span: ClockSpan,
): { readonly name: string; readonly playlist: string }[] {
  const limited = lists.map((list) => writeLiveClip(limitList(list, span), span))
  if (master === undefined) return limited.map((playlist) => ({ name: LIVE_PLAYLIST, playlist }))
  const media = limited.map((playlist, index) => ({ name: mediaName(index), playlist }))
  return [{ name: LIVE_PLAYLIST, playlist: master }, ...media]
}

/** Returns the names of the playlists of which the MP4 is cut: the largest variant and its audio. */
export function bestPlaylists(first: string): { readonly main: string; readonly audio?: string } {
  if (!isMaster(first)) return { main: LIVE_PLAYLIST }
  const variants = [...first.matchAll(/^#EXT-X-STREAM-INF:(.*)\r?\n([^#\s].*)$/gm)].map(
    ([, attributes = '', uri = '']) => ({
      bandwidth: Number(/(?:^|,)BANDWIDTH=(\d+)/.exec(attributes)?.[1] ?? 0),
      group: /(?:^|,)AUDIO="([^"]*)"/.exec(attributes)?.[1],
      uri: uri.trim(),
    }),
  )
  const [best] = variants.sort((one, other) => other.bandwidth - one.bandwidth)
  const media = first.split(/\r?\n/).filter((line) => /^#EXT-X-MEDIA:(?:.*,)?TYPE=AUDIO/.test(line))
  const ofGroup = media.find((line) => best?.group !== undefined && line.includes(`GROUP-ID="${best.group}"`))
  const audio = /[:,]URI="([^"]*)"/.exec(ofGroup ?? '')?.[1]
  return { main: best?.uri ?? LIVE_PLAYLIST, ...(audio !== undefined && { audio }) }
}

const isMaster = (playlist: string) => playlist.includes('#EXT-X-STREAM-INF:')
const mediaName = (index: number) => `media-${index}.m3u8`
const withoutIframes = (master: string) =>
  master
    .split('\n')
    .filter((line) => !line.startsWith('#EXT-X-I-FRAME-STREAM-INF:'))
    .join('\n')

function deadline(clock: Clock) {
  const controller = new AbortController()
  const { cancel } = clock.at(clock.now() + READ_MS, () => controller.abort())
  return { signal: controller.signal, cancel }
}
