import type { z } from 'zod'
import type { StoredObject } from '../aws/storage/storage.ts'
import type { ByteSource } from '../media/byte-source.ts'
import { renditionsBelow } from '../media/hls/ladder.ts'
import { planPieces } from '../media/hls/pieces.ts'
import { inspect } from '../media/inspect.ts'
import { MediaError } from '../media/media-error.ts'
import type { Archive } from '../platform/client/answers.ts'
import type { Services, TaskRun } from '../services.ts'
import type { Format } from '../show/document/publishing.ts'
import { ladder as ladderOrder } from '../tasks/rendition.ts'
import type { TaskOutput } from '../tasks/tasks.ts'
import { compositePieces, openComposite } from './composite.ts'
import type { mediaFacts } from './manifest/manifest.ts'
import { markersIn } from './markers.ts'
import { type MediaFunctions, mediaOf } from './media-functions.ts'
import { archiveIdIn, originOf } from './origin.ts'

type Inspected = TaskOutput<'inspectRecording'>

type FileFindings = Pick<Inspected, 'facts' | 'streams' | 'composite' | 'formats' | 'pieces'> & {
  readonly problems: readonly string[]
}

/** Streams that a manifest lists: participants who join and leave make many, and the manifest has to stay readable. */
const MAX_STREAMS = 300
/** Sentences: a zip may have ten thousand files, each with a fault. */
const MAX_DIFFERENCES = 20

/** Compares an archive with the platform's record and finds its formats. @throws {@link TaskInputError} for another key */
export const inspectArchive: TaskRun<'inspectRecording'> = async (services, { key, etag, formats, composed }) => {
  const archiveId = composed ?? archiveIdIn(key)
  const source = await services.storage.open(key, etag)
  const origin = await originOf(archiveId, services)
  const { archive, show = null, order } = origin
  const markers = await markersIn(origin, services)
  const wanted = formats ? await withRenditions(formats, { archiveId, etag }, services) : order.formats
  const ladder = ladderOrder.parse(JSON.parse(services.variable('LADDER')))
  const { problems, ...found } = key.endsWith('/archive.zip')
    ? await inspectZip({ key, etag, archiveId }, { wanted, isAsked: formats !== undefined }, services)
    : await inspectMp4(source, { wanted, ladder }, mediaOf(services, { inspect, planPieces }))
  // A composite was made by Showrunner, so the platform's record does not describe it.
  const differences = archive && !composed ? differencesBetween(found.facts, source.size, archive) : []
  return {
    archiveId,
    size: source.size,
    ...found,
    show,
    ...(markers.length > 0 && { markers }),
    ladder,
    access: order.access,
    keepDays: order.keepDays ?? null,
    ...(archive && { record: { ...archive, createdAt: new Date(archive.createdAt).toISOString() } }),
    differences: atMost(MAX_DIFFERENCES, [
      ...(archive || composed ? [] : ['The platform does not know this archive.']),
      ...differences,
      ...problems,
    ]),
  }
}

const atMost = (max: number, sentences: readonly string[]): string[] =>
  sentences.length <= max
    ? [...sentences]
    : [...sentences.slice(0, max), `${sentences.length - max} more faults are not listed.`]

/**
 * Returns the formats that a rebuild names. One of HLS makes the renditions again that the recording has: they share its playlists,
 * which would lose them.
 */
async function withRenditions(
  formats: readonly Format[],
  { archiveId, etag }: Omit<IndividualFile, 'key'>,
  { records }: Pick<Services, 'records'>,
): Promise<readonly Format[]> {
  if (!formats.includes('hls') || formats.includes('renditions')) return formats
  const { source, files = [] } = (await records.readManifestIfOwn(archiveId)) ?? {}
  const hasRenditions = source?.etag === etag && files.some(({ key }) => key.includes('/renditions/'))
  return hasRenditions ? [...formats, 'renditions'] : formats
}

type Media = Pick<MediaFunctions, 'inspect' | 'planPieces'>

/** The formats that are wanted, and the sizes of renditions. */
interface Order extends Pick<Inspected, 'ladder'> {
  readonly wanted: readonly Format[]
}

async function inspectMp4(source: StoredObject, order: Order, media: Media): Promise<FileFindings> {
  const facts = await factsOf(source, media)
  return { facts, streams: [], ...(await possibleOf(source, facts, order, media)) }
}

/** Every other format of an individual archive is made of its composite. */
async function inspectZip(
  file: IndividualFile,
  { wanted, isAsked }: { readonly wanted: readonly Format[]; readonly isAsked: boolean },
  services: Services,
): Promise<FileFindings> {
  const { archive, plan } = await openComposite(file, services.storage)
  const streams = archive.streams.map(({ streamId, file, size, start, stop, videoType, video, audio }) => {
    return { streamId, file, size, start, stop, videoType, hasVideo: video !== null, hasAudio: audio !== null }
  })
  const isOrdered = wanted.includes('composite') && streams.length > 0
  const pieces = isOrdered ? compositePieces(plan) : []
  const isComposed = pieces.length > 0
  const composite = isComposed ? undefined : await compositeOf(file, services)
  const unlisted = streams.length - MAX_STREAMS
  return {
    facts: null,
    streams: streams.slice(0, MAX_STREAMS),
    ...(composite && { composite }),
    formats: isComposed || composite ? [...wanted] : [],
    pieces,
    problems: [
      ...archive.problems,
      ...(isComposed ? plan.problems : []),
      ...(isOrdered && !isComposed ? [TOO_SHORT] : []),
      ...(isAsked && wanted.length > 0 && streams.length > 0 && !isOrdered && !composite ? [NOT_COMPOSED] : []),
      ...(unlisted > 0 ? [`It holds ${unlisted} more streams than are listed.`] : []),
    ],
  }
}

interface IndividualFile {
  readonly key: string
  readonly etag: string
  readonly archiveId: string
}

const TOO_SHORT = 'The individual archive is shorter than one frame, so it is not composed.'
const NOT_COMPOSED = 'An individual archive must be composed before other formats are made: request composite as well.'

/** Returns the composite that was made of this version of the archive, if it is still stored. */
async function compositeOf({ etag, archiveId }: IndividualFile, { records, storage }: Services) {
  const { source, files } = (await records.readManifestIfOwn(archiveId)) ?? {}
  const key = source?.etag === etag && files?.find(({ role }) => role === 'composite')?.key
  const composedEtag = key ? await storage.etagOf(key) : undefined
  return key && composedEtag !== undefined ? { key, etag: composedEtag } : undefined
}

type Facts = z.output<typeof mediaFacts>

/** Returns the facts that a manifest states about an MP4. */
async function factsOf(source: ByteSource, media: Media): Promise<Facts> {
  const { duration, video, audio } = await media.inspect(source)
  return {
    duration,
    video: video && pick(video, ['codec', 'width', 'height', 'frameRate']),
    audio: audio && pick(audio, ['codec', 'sampleRate', 'channels']),
  }
}

const pick = <From, Key extends keyof From>(from: From, keys: readonly Key[]) =>
  Object.fromEntries(keys.map((key) => [key, from[key]])) as Pick<From, Key>

/** The platform's record has whole seconds, rounded. */
const ROUNDING_SECONDS = 0.55

/** Returns a sentence for each difference from the platform's record, which may lag behind the upload: empty values are skipped. */
function differencesBetween(facts: Facts | null, size: number, archive: Archive): string[] {
  const inBytes = archive.size > 0 && archive.size !== size
  return [
    ...(inBytes ? [`It has ${size} bytes; the platform recorded ${archive.size}.`] : []),
    ...(facts ? differencesInMedia(facts, archive) : []),
  ]
}

function differencesInMedia({ video, audio, duration }: Facts, archive: Archive): string[] {
  const resolution = video && `${video.width}x${video.height}`
  const checks: [boolean, string][] = [
    [
      archive.duration > 0 && Math.abs(archive.duration - duration) > ROUNDING_SECONDS,
      `It lasts ${duration.toFixed(2)} s; the platform recorded ${archive.duration} s.`,
    ],
    [archive.hasVideo !== (video !== null), presence('video', video !== null)],
    [archive.hasAudio !== (audio !== null), presence('audio', audio !== null)],
    [
      resolution !== null && archive.resolution !== undefined && archive.resolution !== resolution,
      `Its picture is ${resolution}; the platform recorded ${archive.resolution}.`,
    ],
  ]
  return checks.flatMap(([differs, sentence]) => (differs ? sentence : []))
}

const presence = (what: string, isThere: boolean) =>
  isThere ? `It has ${what}; the platform recorded none.` : `It has no ${what}; the platform recorded ${what}.`

/** The wanted formats that can be made of a file, and the pieces that it is divided into. */
interface Possible extends Pick<Inspected, 'formats' | 'pieces'> {
  /** Why formats cannot be made: one sentence each. */
  readonly problems: string[]
}

/** Formats that need video. */
const pictures: readonly Format[] = ['poster', 'renditions', 'thumbnails']
const inPlaylists: readonly Format[] = ['hls', 'renditions']

/** Returns the formats that a file allows. One that does not fit HLS gets all others. @throws the source's errors */
async function possibleOf(
  source: ByteSource,
  { video, audio }: Facts,
  { wanted, ladder }: Order,
  media: Media,
): Promise<Possible> {
  const leftOut = new Set<Format>(video ? ['composite'] : ['composite', ...pictures])
  if (video && renditionsBelow(video, ladder).length === 0) leftOut.add('renditions')
  const problems: string[] = []
  if (video && video.codec !== 'h264') {
    for (const format of [...pictures, 'chapters'] as const) leftOut.add(format)
    problems.push(`Its video is ${video.codec}: pictures, chapters and renditions are made of h264 only.`)
  }
  if (audio && audio.codec !== 'aac') {
    for (const format of ['audio', 'chapters'] as const) leftOut.add(format)
    problems.push(`Its audio is ${audio.codec}: the audio file, waveform and chapters are made of aac only.`)
  }
  const pieces = wanted.includes('hls') ? await media.planPieces(source).catch(reportMedia(problems)) : undefined
  if (!pieces) for (const format of inPlaylists) leftOut.add(format)
  return { formats: wanted.filter((format) => !leftOut.has(format)), pieces: pieces ?? [], problems }
}

const reportMedia = (problems: string[]) => (error: unknown) => {
  if (!(error instanceof MediaError)) throw error
  problems.push(error.message)
  return undefined
}
