import { MessageChannel } from 'node:worker_threads'
import type { Clock } from '../../../lib/clock.ts'
import type { Size } from '../media/composing/picture.ts'
import type { FromSource, LiveSource, ToSource } from '../media/live/packets.ts'
import type { LiveStream } from './live-stream.ts'

/** Returns the source by which the media engine receives the packets of a stream, whenever it asks for them. */
export function feedMedia(clock: Clock, live: LiveStream): LiveSource {
  const { port1: ours, port2: packets } = new MessageChannel()
  const send = (message: ToSource) => ours.postMessage(message)
  let stop = () => {}
  let wants: Size | undefined
  function start(): void {
    stop()
    stop = live.listen({
      onPacket(kind, { header, payload }) {
        const { sequenceNumber: sequence, timestamp, marker } = header
        // A copy: of a view, the whole buffer around it would be copied.
        send({ packet: { kind, sequence, timestamp, marker, payload: Uint8Array.from(payload), at: clock.now() } })
      },
      onReport: (report) => send({ report }),
      onSize: (size) => send({ size }),
      onEnd() {},
      get wants() {
        return wants
      },
    })
    live.requestKeyframe()
  }
  ours.on('message', (what: FromSource) => {
    if (what === 'start') start()
    else if (what === 'stop') stop()
    else if (typeof what === 'object') wants = what.wants
    else live.requestKeyframe()
  })
  live.listen({ onPacket() {}, onEnd: () => ours.close() }) // also when the engine never asks
  ours.unref()
  const { videoCodec, audioCodec, hasLayers, size } = live
  return { type: 'live', packets, videoCodec, audioCodec, hasLayers, ...size }
}
