import { MessageChannel } from 'node:worker_threads'
import type { Size } from '../../../media/composing/picture.ts'
import { sizeIn } from '../../../media/live/frame-assembler.ts'
import type { FromSource, LiveSource, ToSource, VideoCodec } from '../../../media/live/packets.ts'
import type { CallVideo } from '../call-video.ts'

/** The video of a phone on its way to the media engine, which takes it as that of a browser. */
export interface VideoFeed extends Omit<CallVideo, 'show'> {
  readonly source: LiveSource
  /** Size of the last keyframe. */
  readonly size: Size | undefined
  close(): void
}

/** Size before the first keyframe. */
const DEFAULT_SIZE: Size = { width: 640, height: 480 }

export function createVideoFeed(): VideoFeed {
  const { port1: ours, port2: packets } = new MessageChannel()
  const send = (message: ToSource) => ours.postMessage(message)
  let isWanted = false
  let request = () => {}
  let current: VideoCodec | undefined
  let size: Size | undefined
  ours.on('message', (what: FromSource) => {
    if (what === 'start' || what === 'stop') isWanted = what === 'start'
    if (what === 'start' || what === 'keyframe') request()
  })
  ours.unref()

  return {
    source: { type: 'live', packets, ...DEFAULT_SIZE },
    get size() {
      return size
    },
    begin(codec, requestKeyframe) {
      request = requestKeyframe
      current = codec
      send({ codec })
    },
    take({ sequence, timestamp, marker, payload }) {
      if (current) size = sizeIn(current, payload) ?? size
      if (!isWanted) return
      // A copy: of a view, the whole buffer around it would be copied.
      const packet = {
        kind: 'video' as const,
        sequence,
        timestamp,
        marker,
        payload: Uint8Array.from(payload),
        at: Date.now(),
      }
      send({ packet })
    },
    report: (senderTime, timestamp) => send({ report: { kind: 'video', senderTime, timestamp } }),
    close: () => ours.close(),
  }
}
