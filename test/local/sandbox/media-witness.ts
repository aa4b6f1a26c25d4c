import type { Clock } from '../../../lib/clock.ts'
import type { Media, Recorder } from '../../../local/sandbox/media/media.ts'
import { createMediaOff } from '../../../local/sandbox/media/media-off.ts'

/** Media that is off, and a note of everything it is told after which time. */
export function createMediaWitness() {
  const told: { readonly at: number; readonly what: string; readonly id: string; readonly with?: unknown }[] = []
  const media = (clock: Clock): Media => {
    const off = createMediaOff(clock)
    const note = (what: string, id: string, value?: unknown) =>
      told.push({ at: clock.now(), what, id, ...(value !== undefined && { with: value }) })
    const watched = (recorder: Recorder, id: string): Recorder => ({
      ...recorder,
      ...output(id),
      finish() {
        note('finish', id)
        return recorder.finish()
      },
    })
    const output = (id: string) => ({
      setLayout: (layout: unknown) => note('setLayout', id, layout),
      setStreams: (streams: unknown) => note('setStreams', id, streams),
    })
    return {
      ...off,
      publish: (stream) => note('publish', stream.streamId, stream),
      updateStream: (_sessionId, streamId, change) => note('updateStream', streamId, change),
      unpublish: (_sessionId, streamId) => note('unpublish', streamId),
      async startArchive(spec) {
        note('startArchive', spec.id, spec)
        return watched(await off.startArchive(spec), spec.id)
      },
      async startIndividualArchive(spec) {
        note('startIndividualArchive', spec.id, spec)
        return watched(await off.startIndividualArchive(spec), spec.id)
      },
      async startBroadcast(spec) {
        note('startBroadcast', spec.id, spec)
        return { ...(await off.startBroadcast(spec)), ...output(spec.id) }
      },
    }
  }
  /** What was told about one stream or output, in order. */
  const about = (id: string | undefined) => told.filter((note) => note.id === id)
  return { media, told, about }
}
