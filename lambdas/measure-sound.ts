import { ffmpegVersion } from '../lib/media/ffmpeg.ts'
import { inspect } from '../lib/media/inspect.ts'
import { copyAudio } from '../lib/media/sound/copy-audio.ts'
import { measureSound as measure } from '../lib/media/sound/measure-sound.ts'
import { editionOf } from '../lib/services/editions.ts'
import { publishFile } from '../lib/services/published-files.ts'
import type { Services } from '../lib/services/services.ts'
import { keys } from '../lib/workflow/keys.ts'
import { tagsFor } from '../lib/workflow/retention.ts'
import type { TaskInput, TaskOutput } from '../lib/workflow/tasks/tasks.ts'
import { taskHandler } from './middleware/task.ts'

type PublishedFile = TaskOutput<'measureSound'>['files'][number]

/** To be counted up when the same source would give other bytes. */
const RECIPE = 1

/** The source is read once, for the copy; what is measured is the copy, a twentieth of it. */
export async function measureSound(
  input: TaskInput<'measureSound'>,
  services: Services,
): Promise<TaskOutput<'measureSound'>> {
  const { etag, archiveId, keepDays } = input
  const { storage, variable } = services
  const ffmpegPath = variable('FFMPEG_PATH')
  const ffmpeg = await ffmpegVersion(ffmpegPath)
  const sound = await publishSound(input, services)
  if (!sound) return { files: [], loudness: null, silences: [], ffmpeg }
  const copy = await storage.open(sound.key, (await storage.etagOf(sound.key)) ?? '')
  const { audio } = await inspect(copy)
  if (!audio) throw new Error(`${sound.key} holds no sound, though it was made of some.`)
  const { loudness, waveform, silences } = await measure({ ffmpegPath, m4a: await copy.stream(), ...audio })
  const edition = editionOf({ etag, recipe: { recipe: RECIPE, ffmpeg } })
  const drawn = await publishFile(storage, {
    role: 'waveform',
    key: keys.published(archiveId, 'waveform', edition, 'waveform.json'),
    content: JSON.stringify(waveform),
    contentType: 'application/json',
    keepDays,
  })
  return { files: [sound, drawn], loudness, silences: [...silences], ffmpeg }
}

async function publishSound(
  { key, etag, archiveId, keepDays }: TaskInput<'measureSound'>,
  { storage }: Services,
): Promise<PublishedFile | undefined> {
  const pieces = copyAudio(await storage.open(key, etag))
  const { value: head } = await pieces.next()
  if (!head) return undefined
  async function* whole() {
    yield head as Uint8Array
    yield* pieces
  }
  const target = keys.published(archiveId, 'audio', editionOf({ etag, recipe: RECIPE }), 'audio.m4a')
  return { role: 'audio', key: target, ...(await storage.putStream(target, whole(), 'audio/mp4', tagsFor(keepDays))) }
}

export const handler = taskHandler('measureSound', measureSound)
