import { copyAudio } from '../../media/audio/copy-audio.ts'
import { measureAudio } from '../../media/audio/measure-audio.ts'
import { inspect } from '../../media/inspect.ts'
import type { TaskRun } from '../../services.ts'
import { TaskInputError } from '../../tasks/errors.ts'
import type { TaskOutput } from '../../tasks/tasks.ts'
import { tagsFor } from '../manifest/manifest.ts'
import { mediaOf } from '../media-functions.ts'
import { createFfmpegEdition, openTask } from '../publish-task.ts'
import { skipIfDamaged } from '../skip-damaged.ts'

/** Publishes the audio track of a recording as an m4a file, without encoding it again; no file where it has none. */
export const publishAudio: TaskRun<'copyAudio'> = async (services, input) => {
  const { source, keyOf } = await openTask(input, services, { folder: 'audio', version: 1 })
  const making = { format: 'audio', what: 'audio file', of: 'audio' } as const
  return skipIfDamaged<TaskOutput<'copyAudio'>>(making, { files: [] }, async () => {
    const pieces = mediaOf(services, { copyAudio }).copyAudio(source)
    const { value: head } = await pieces.next()
    if (!head) return { files: [] }
    async function* whole() {
      yield head as Uint8Array
      yield* pieces
    }
    const key = keyOf('audio.m4a')
    const stored = await services.storage.putStream(key, whole(), 'audio/mp4', tagsFor(input.keepDays))
    return { files: [{ role: 'audio', key, ...stored }] }
  })
}

/** Measures loudness and silences, and publishes the waveform. @throws {@link TaskInputError} for a file without audio */
export const publishWaveform: TaskRun<'measureAudio'> = async (services, input) => {
  const { audio: key } = input
  const { storage } = services
  const { publish, ffmpegPath, ffmpeg } = await createFfmpegEdition(input, services, { folder: 'waveform', version: 1 })
  const copy = await storage.open(key, (await storage.etagOf(key)) ?? '')
  const making = { format: 'audio', what: 'loudness and waveform', of: 'audio' } as const
  const nothing = { files: [], loudness: null, silences: [], ffmpeg }
  return skipIfDamaged<TaskOutput<'measureAudio'>>(making, nothing, async () => {
    const media = mediaOf(services, { inspect, measureAudio })
    const { audio } = await media.inspect(copy)
    if (!audio) throw new TaskInputError(`${key} has no audio track.`)
    const { loudness, waveform, silences } = await media.measureAudio({
      ffmpegPath,
      m4a: await copy.stream(),
      ...audio,
    })
    const content = JSON.stringify(waveform)
    const file = await publish({ role: 'waveform', name: 'waveform.json', content, contentType: 'application/json' })
    return { files: [file], loudness, silences: [...silences], ffmpeg }
  })
}
