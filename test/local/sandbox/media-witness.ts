import type { Clock } from '../../../lib/clock.ts'
import type { Media, Recorder } from '../../../local/sandbox/media/media.ts'
import { createMediaOff } from '../../../local/sandbox/media/media-off.ts'

/** Creates media without media that records every call with its time. */
export function createMediaWitness() {
  const calls: { readonly at: number; readonly what: string; readonly id: string; readonly with?: unknown }[] = []
  const media = (clock: Clock): Media => {
    const off = createMediaOff(clock)
    const record = (what: string, id: string, value?: unknown) =>
      calls.push({ at: clock.now(), what, id, ...(value !== undefined && { with: value }) })
    const watched = (recorder: Recorder, id: string): Recorder => ({
      ...recorder,
      ...output(id),
      finish() {
        record('finish', id)
        return recorder.finish()
      },
    })
    const output = (id: string) => ({
      setLayout: (layout: unknown) => record('setLayout', id, layout),
      setStreams: (streams: unknown) => record('setStreams', id, streams),
    })
    return {
      ...off,
      publish: (stream) => record('publish', stream.streamId, stream),
      updateStream: (_sessionId, streamId, change) => record('updateStream', streamId, change),
      unpublish: (_sessionId, streamId) => record('unpublish', streamId),
      async startArchive(spec) {
        record('startArchive', spec.id, spec)
        return watched(await off.startArchive(spec), spec.id)
      },
      async startIndividualArchive(spec) {
        record('startIndividualArchive', spec.id, spec)
        return watched(await off.startIndividualArchive(spec), spec.id)
      },
      async startBroadcast(spec) {
        record('startBroadcast', spec.id, spec)
        return { ...(await off.startBroadcast(spec)), ...output(spec.id) }
      },
    }
  }
  /** Returns the calls about one stream or output, in order. */
  const about = (id: string | undefined) => calls.filter((call) => call.id === id)
  return { media, calls, about }
}
