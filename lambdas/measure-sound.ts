import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { ffmpegVersion } from '../lib/media/ffmpeg.ts'
import { inspect } from '../lib/media/inspect.ts'
import { copyAudio } from '../lib/media/sound/copy-audio.ts'
import { measureSound as measure } from '../lib/media/sound/measure-sound.ts'
import { editionOf } from '../lib/services/editions.ts'
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
  const sound = await publishSound(input, services)
  if (!sound) return { files: [], loudness: null, silences: [] }
  const { storage, variable } = services
  const copy = await storage.open(sound.key, (await storage.etagOf(sound.key)) ?? '')
  const { audio } = await inspect(copy)
  if (!audio) throw new Error(`${sound.key} holds no sound, though it was made of some.`)
  const ffmpegPath = variable('FFMPEG_PATH')
  const { loudness, waveform, silences } = await measure({ ffmpegPath, m4a: await copy.stream(), ...audio })
  const recipe = { recipe: RECIPE, ffmpeg: await ffmpegVersion(ffmpegPath) }
  const key = keys.published(input.archiveId, 'waveform', editionOf({ etag: input.etag, recipe }), 'waveform.json')
  const json = JSON.stringify(waveform)
  await storage.put(key, json, 'application/json', tagsFor(input.keepDays))
  const sha256 = createHash('sha256').update(json).digest('hex')
  const files = [sound, { role: 'waveform' as const, key, size: json.length, sha256 }]
  return { files, loudness, silences: [...silences] }
}

async function publishSound(
  { key, etag, archiveId, keepDays }: TaskInput<'measureSound'>,
  { storage }: Services,
): Promise<PublishedFile | undefined> {
  const pieces = copyAudio(await storage.open(key, etag))
  const { value: head } = await pieces.next()
  if (!head) return undefined
  const hash = createHash('sha256')
  let size = 0
  async function* hashed() {
    yield counted(head as Uint8Array)
    for await (const piece of pieces) yield counted(piece)
  }
  const counted = (piece: Uint8Array) => {
    hash.update(piece)
    size += piece.length
    return piece
  }
  const target = keys.published(archiveId, 'audio', editionOf({ etag, recipe: RECIPE }), 'audio.m4a')
  await storage.putStream(target, Readable.from(hashed(), { objectMode: false }), 'audio/mp4', tagsFor(keepDays))
  return { role: 'audio', key: target, size, sha256: hash.digest('hex') }
}

export const handler = taskHandler('measureSound', measureSound)
