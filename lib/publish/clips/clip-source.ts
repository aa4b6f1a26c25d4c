import { posix } from 'node:path'
import type { Storage } from '../../aws/storage/storage.ts'
import type { ClipSpan } from '../../media/clips/clip-track.ts'
import type { ClipSource } from '../../media/clips/cut-clip.ts'
import { type ListedRange, readAhead } from '../../media/clips/read-ahead.ts'
import { type ListedSegment, readMediaPlaylist } from '../../media/hls/playlists/clip-playlist.ts'
import type { PublishedTrack } from '../../media/joining/published-track.ts'
import { readSegments } from '../../media/joining/read-segments.ts'
import { MediaError } from '../../media/media-error.ts'
import { TaskInputError } from '../../tasks/errors.ts'
import type { Manifest } from '../manifest/manifest.ts'
import { readObjectsOnce } from '../read-objects.ts'

type Bucket = Pick<Storage, 'readText' | 'etagOf' | 'open'>

/** The tracks that a clip is cut from, and its place on their timeline. */
export interface FoundSource {
  readonly source: ClipSource
  readonly span: ClipSpan
}

/**
 * Finds the published segments that hold a clip: those of the tracks as they were recorded.
 * @throws {@link MediaError} when the clip spans parts that were encoded otherwise
 */
export async function findClipSource(manifest: Manifest, span: ClipSpan, storage: Bucket): Promise<FoundSource> {
  const [video, audio] = await Promise.all([
    readTrack(manifest, 'video', storage),
    readTrack(manifest, 'audio', storage),
  ])
  const lists = { video, audio }
  const leading = lists.video ?? lists.audio
  const around = leading?.filter((one) => isWithin(one, span)) ?? []
  const run = around[0]?.run ?? 0
  if (around.some((one) => one.run !== run))
    throw new MediaError('The clip spans two parts of the recording that were encoded otherwise, so it has no MP4.')
  const listed = [lists.video, lists.audio].map((list = []) => list.filter((one) => isWithin(one, span)).map(toRange))
  const read = readAhead(readObjectsOnce(storage), listed)
  const trackOf = (type: 'video' | 'audio'): PublishedTrack | undefined => {
    const segments = lists[type]?.filter((one) => one.run === run) ?? []
    const [first] = segments
    if (!first) return undefined
    const pieces = segments.map(({ uri, ...range }) => ({ uri, index: { segments: [range], iframes: [] } }))
    return { type, rendition: { initUri: first.initUri, pieces }, read }
  }
  const source = { video: trackOf('video'), audio: trackOf('audio') }
  return run === 0 ? { source, span } : ofLaterRun(source, span)
}

const isWithin = ({ start, duration }: ListedSegment, { from, to }: ClipSpan) => start + duration > from && start < to

const toRange = ({ uri, offset, size }: ListedSegment): ListedRange => ({ uri, range: { offset, size } })

/** Moves a clip to the timeline of segments behind a discontinuity, which counts from the start of their part. */
async function ofLaterRun({ video, audio }: ClipSource, { from, to }: ClipSpan): Promise<FoundSource> {
  const leading = video ?? audio
  const [first] = leading?.rendition.pieces ?? []
  const segment = first?.index.segments[0]
  if (!leading || !first || !segment) throw new MediaError('The recording has nothing at the time of the clip.')
  const { frames, timescale } = await readSegments(leading, [{ ...segment, uri: first.uri }])
  const shift = Math.min(...frames.map(({ time }) => time)) / timescale - segment.start
  const moved = (track: PublishedTrack | undefined): PublishedTrack | undefined =>
    track && {
      ...track,
      rendition: {
        ...track.rendition,
        pieces: track.rendition.pieces.map(({ uri, index }) => ({
          uri,
          index: { ...index, segments: index.segments.map((one) => ({ ...one, start: one.start + shift })) },
        })),
      },
    }
  return { source: { video: moved(video), audio: moved(audio) }, span: { from: from + shift, to: to + shift } }
}

/** Reads the playlist of a track as it was recorded, with keys in place of URIs; undefined without such a track. */
async function readTrack(
  { files }: Manifest,
  name: 'video' | 'audio',
  storage: Bucket,
): Promise<ListedSegment[] | undefined> {
  const master = files.find(({ role }) => role === 'hls')
  const playlist = files.find(({ role, key }) => role === 'hls-media' && posix.basename(key) === `${name}.m3u8`)
  if (!master || !playlist) return undefined
  const text = await storage.readText(playlist.key)
  if (text === undefined) throw new TaskInputError(`${playlist.key} is missing. Rebuild its recording.`)
  const keyOf = (uri: string) => posix.join(posix.dirname(playlist.key), uri)
  return readMediaPlaylist(text).map((one) => ({ ...one, uri: keyOf(one.uri), initUri: keyOf(one.initUri) }))
}
