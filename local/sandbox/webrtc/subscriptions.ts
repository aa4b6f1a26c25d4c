import type { Media, Output } from '../media/media.ts'
import type { Presence } from '../participants/presence.ts'
import type { StreamRecord } from '../state/records.ts'
import type { Store } from '../state/store.ts'
import type { AllTransitions } from '../state/transitions.ts'
import { DoorProblem } from './door-problem.ts'
import { createEncodedStream, type EncodedStream } from './encoded-stream.ts'
import type { LiveStream, PacketSource } from './live-stream.ts'
import type { Werift } from './load-werift.ts'

/** Everything of a session that a client can receive. */
export interface Subscriptions {
  /**
   * Returns the packets of a stream: those of its publisher, or encoded ones of a generated picture or a file.
   * @throws {@link DoorProblem} 404 for an unknown stream, 501 for a generated one without media
   */
  ofStream(werift: Werift, sessionId: string, streamId: string): PacketSource
  /**
   * Returns the packets of the picture that a running archive or broadcast is composed of.
   * @throws {@link DoorProblem} 404 for an output that does not run, 409 for an individual archive, 501 without media
   */
  ofOutput(werift: Werift, sessionId: string, outputId: string): Promise<PacketSource>
}

/** Statuses of an output that can be watched. */
const RUNNING = ['started', 'paused']
const MEDIA_OFF = 'Nothing is encoded, because media is off: start the sandbox with media.'

export function createSubscriptions({
  store,
  presence,
  media,
  transitions,
  findLive,
  findOutput,
}: {
  store: Store
  presence: Presence
  media: Media
  transitions: Pick<AllTransitions, 'archives' | 'broadcasts'>
  /** Returns the packets of a stream that is published over WebRTC. */
  findLive: (streamId: string) => LiveStream | undefined
  /** Returns a running archive or broadcast. */
  findOutput: (outputId: string) => Promise<Output> | undefined
}): Subscriptions {
  /** By the id of their stream or output. */
  const encoded = new Map<string, EncodedStream>()

  function end(id: string): void {
    encoded.get(id)?.end()
    encoded.delete(id)
  }
  function keep(id: string, create: () => EncodedStream): EncodedStream {
    const stream = encoded.get(id) ?? create()
    encoded.set(id, stream)
    return stream
  }
  const endUnlessRunning = ({ id, status }: { readonly id: string; readonly status: string }) => {
    if (!RUNNING.includes(status)) end(id)
  }
  presence.listen({ onUnpublished: ({ id }) => end(id) })
  transitions.archives.listen(endUnlessRunning)
  transitions.broadcasts.listen(endUnlessRunning)

  return {
    ofStream(werift, sessionId, streamId) {
      const stream = store.streams.get(streamId)
      if (stream?.sessionId !== sessionId) throw new DoorProblem(404, 'The session has no such stream.')
      const live = findLive(streamId)
      if (live) return live
      const watch = media.watchStream?.bind(media)
      if (!watch) throw new DoorProblem(501, MEDIA_OFF)
      const { hasAudio, hasVideo } = stream
      const watched = { sessionId, streamId, hasAudio, hasVideo, ...sizeOf(stream) }
      return keep(streamId, () => createEncodedStream(werift, watched, (viewer) => watch(watched, viewer)))
    },
    async ofOutput(werift, sessionId, outputId) {
      const archive = store.archives.get(outputId)
      const record = archive ?? store.broadcasts.get(outputId)
      const output = findOutput(outputId)
      if (!output || record?.sessionId !== sessionId || !RUNNING.includes(record.status))
        throw new DoorProblem(404, 'The session has no running archive or broadcast of this id.')
      if (archive && !archive.layout)
        throw new DoorProblem(409, 'An individual archive has no picture of all streams: subscribe to its streams.')
      const watch = (await output).watch
      if (!watch) throw new DoorProblem(501, MEDIA_OFF)
      const { hasAudio = true, hasVideo = true } = archive ?? {}
      return keep(outputId, () => createEncodedStream(werift, { hasAudio, hasVideo }, watch))
    },
  }
}

function sizeOf({ format }: StreamRecord): { width: number; height: number } {
  const [width = 640, height = 480] = format?.videoResolution.split('x').map(Number) ?? []
  return { width, height }
}
