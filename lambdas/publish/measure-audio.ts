import { measureAudio as measure } from '../../lib/media/audio/measure-audio.ts'
import { ffmpegVersion } from '../../lib/media/ffmpeg/ffmpeg-build.ts'
import { inspect } from '../../lib/media/inspect.ts'
import { editionOf } from '../../lib/publish/editions.ts'
import { publishFile } from '../../lib/publish/published-files.ts'
import { skipIfDamaged } from '../../lib/publish/skip-damaged.ts'
import type { Services } from '../../lib/services.ts'
import { keys } from '../../lib/show/state/keys.ts'
import { TaskInputError } from '../../lib/tasks/errors.ts'
import type { TaskInput, TaskOutput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

/** To be counted up when the same audio would give other bytes. */
const RECIPE = 1

/** What is measured is the copy, which is a twentieth of the recording. */
export async function measureAudio(
  { archiveId, etag, keepDays, audio }: TaskInput<'measureAudio'>,
  { storage, variable }: Services,
): Promise<TaskOutput<'measureAudio'>> {
  const ffmpegPath = variable('FFMPEG_PATH')
  const ffmpeg = await ffmpegVersion(ffmpegPath)
  const copy = await storage.open(audio, (await storage.etagOf(audio)) ?? '')
  const making = { format: 'audio', what: 'loudness and waveform', of: 'audio' } as const
  const nothing = { files: [], loudness: null, silences: [], ffmpeg }
  return skipIfDamaged<TaskOutput<'measureAudio'>>(making, nothing, async () => {
    const { audio } = await inspect(copy)
    if (!audio) throw new TaskInputError(`${audio} holds no audio.`)
    const { loudness, waveform, silences } = await measure({ ffmpegPath, m4a: await copy.stream(), ...audio })
    const edition = editionOf({ etag, recipe: { recipe: RECIPE, ffmpeg } })
    const file = await publishFile(storage, {
      role: 'waveform',
      key: keys.published(archiveId, 'waveform', edition, 'waveform.json'),
      content: JSON.stringify(waveform),
      contentType: 'application/json',
      keepDays,
    })
    return { files: [file], loudness, silences: [...silences], ffmpeg }
  })
}

export const handler = taskHandler('measureAudio', measureAudio)
