import type { z } from 'zod'
import { inspect } from '../lib/media/inspect.ts'
import type { Archive } from '../lib/platform/contract/archives.ts'
import { originOf } from '../lib/services/publishing.ts'
import type { Services } from '../lib/services/services.ts'
import type { StoredObject } from '../lib/services/storage.ts'
import type { mediaFacts } from '../lib/workflow/documents/manifest.ts'
import { TaskInputError } from '../lib/workflow/errors.ts'
import { parseArchiveKey } from '../lib/workflow/keys.ts'
import type { TaskInput, TaskOutput } from '../lib/workflow/tasks/tasks.ts'
import { taskHandler } from './middleware/task.ts'

type Facts = z.output<typeof mediaFacts>

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
  return {
    archiveId,
    size: source.size,
    facts,
    show,
    formats: facts ? (formats ?? order.formats) : [],
    access: order.access,
    keepDays: order.keepDays ?? null,
    ...(archive && { record: { ...archive, createdAt: new Date(archive.createdAt).toISOString() } }),
    differences: [
      ...(archive ? differencesBetween(facts, source.size, archive) : ['The platform does not know this archive.']),
      ...(facts ? [] : ['It holds a file of each stream: pictures of such archives are not built yet.']),
    ],
  }
}

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
