import type { z } from 'zod'
import { rungsBelow } from '../lib/media/hls/ladder.ts'
import { planPieces } from '../lib/media/hls/pieces.ts'
import { inspect } from '../lib/media/inspect.ts'
import { MediaError } from '../lib/media/media-error.ts'
import type { Archive } from '../lib/platform/contract/archives.ts'
import { originOf } from '../lib/services/publishing.ts'
import type { Services } from '../lib/services/services.ts'
import type { StoredObject } from '../lib/services/storage.ts'
import type { mediaFacts } from '../lib/workflow/documents/manifest.ts'
import { TaskInputError } from '../lib/workflow/errors.ts'
import { parseArchiveKey } from '../lib/workflow/keys.ts'
import { ladder as ladderOrder } from '../lib/workflow/ladder.ts'
import type { Format } from '../lib/workflow/orders/publishing.ts'
import type { TaskInput, TaskOutput } from '../lib/workflow/tasks/tasks.ts'
import { taskHandler } from './middleware/task.ts'

type Facts = z.output<typeof mediaFacts>
type Rung = TaskOutput<'inspectRecording'>['ladder'][number]
type Piece = TaskOutput<'inspectRecording'>['pieces'][number]

/** Records give whole seconds, rounded, so half a second is no difference. */
const ROUNDING_SECONDS = 0.55

export async function inspectRecording(
  { key, etag, formats }: TaskInput<'inspectRecording'>,
  services: Services,
): Promise<TaskOutput<'inspectRecording'>> {
  const arrived = parseArchiveKey(key)
  if (!arrived) throw new TaskInputError(`${key} is not the key of an archive.`)
  const { archiveId } = arrived
  const source = await services.storage.open(key, etag)
  const facts = arrived.file === 'archive.zip' ? null : await factsOf(source)
  const { archive, show = null, order } = await originOf(archiveId, services)
  const possible = await possibleOf(source, facts, formats ?? order.formats, readLadder(services.variable('LADDER')))
  return {
    archiveId,
    size: source.size,
    facts,
    show,
    formats: possible.formats,
    pieces: possible.pieces,
    ladder: possible.ladder,
    access: order.access,
    keepDays: order.keepDays ?? null,
    ...(archive && { record: { ...archive, createdAt: new Date(archive.createdAt).toISOString() } }),
    differences: [
      ...(archive ? differencesBetween(facts, source.size, archive) : ['The platform does not know this archive.']),
      ...possible.problems,
      ...(facts ? [] : ['It holds a file of each stream: pictures of such archives are not built yet.']),
    ],
  }
}

interface Possible {
  readonly formats: Format[]
  readonly pieces: Piece[]
  readonly ladder: Rung[]
  /** What could not be made, and why. */
  readonly problems: string[]
}

/** Formats that need a picture. */
const pictures: readonly Format[] = ['poster', 'renditions', 'thumbnails']

/** What of all that was asked for can be made of this file. */
async function possibleOf(
  source: StoredObject,
  facts: Facts | null,
  wanted: readonly Format[],
  ladder: Rung[],
): Promise<Possible> {
  if (!facts) return { formats: [], pieces: [], ladder: [], problems: [] }
  const { video } = facts
  const leftOut = new Set<Format>(video ? [] : pictures)
  if (video && rungsBelow(video, ladder).length === 0) leftOut.add('renditions')
  const problems: string[] = []
  if (video && video.codec !== 'h264') {
    for (const format of [...pictures, 'chapters'] as const) leftOut.add(format)
    problems.push(`Its video is ${video.codec}: pictures, chapters and renditions are made of h264 only.`)
  }
  const plan = wanted.includes('hls') ? await planPieces(source).catch(tellOfMedia(problems)) : undefined
  if (!plan) for (const format of inPlaylists) leftOut.add(format)
  const formats = wanted.filter((format) => !leftOut.has(format))
  return { formats, pieces: plan ? [...plan.pieces] : [], ladder, problems }
}

const inPlaylists: readonly Format[] = ['hls', 'renditions']

/** HLS takes fewer codecs than MP4 does: then there is none, and all else is made. */
const tellOfMedia = (problems: string[]) => (error: unknown) => {
  if (!(error instanceof MediaError)) throw error
  problems.push(error.message)
  return undefined
}

const readLadder = (text: string) => ladderOrder.parse(JSON.parse(text))

async function factsOf(source: StoredObject): Promise<Facts> {
  const { duration, video, audio } = await inspect(source)
  return {
    duration,
    video: video && pick(video, ['codec', 'width', 'height', 'frameRate']),
    audio: audio && pick(audio, ['codec', 'sampleRate', 'channels']),
  }
}

/** The record may lag behind the upload: what it does not say yet is not compared. */
function differencesBetween(facts: Facts | null, size: number, archive: Archive): string[] {
  const inBytes = archive.size > 0 && archive.size !== size
  return [
    ...(inBytes ? [`It has ${size} bytes, the platform says ${archive.size}.`] : []),
    ...(facts ? differencesInMedia(facts, archive) : []),
  ]
}

function differencesInMedia({ video, audio, duration }: Facts, archive: Archive): string[] {
  const resolution = video && `${video.width}x${video.height}`
  const checks: [boolean, string][] = [
    [
      archive.duration > 0 && Math.abs(archive.duration - duration) > ROUNDING_SECONDS,
      `It lasts ${duration.toFixed(2)} s, the platform says ${archive.duration} s.`,
    ],
    [archive.hasVideo !== (video !== null), `It has ${video ? '' : 'no '}video, against the platform’s word.`],
    [archive.hasAudio !== (audio !== null), `It has ${audio ? '' : 'no '}audio, against the platform’s word.`],
    [
      resolution !== null && archive.resolution !== undefined && archive.resolution !== resolution,
      `Its picture is ${resolution}, the platform says ${archive.resolution}.`,
    ],
  ]
  return checks.flatMap(([differs, words]) => (differs ? words : []))
}

const pick = <From, Key extends keyof From>(from: From, keys: readonly Key[]) =>
  Object.fromEntries(keys.map((key) => [key, from[key]])) as Pick<From, Key>

export const handler = taskHandler('inspectRecording', inspectRecording)
