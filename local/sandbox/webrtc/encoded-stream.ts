import { CLOCK_RATES, type EncodedUnit } from '../media/live/packets.ts'
import type { Viewer, Watching } from '../media/media.ts'
import type { PacketListener, PacketSource } from './live-stream.ts'
import type { Werift } from './load-werift.ts'

/** A picture and its audio that the sandbox draws and encodes, once for all subscribers. */
export interface EncodedStream extends PacketSource {
  /** Ends it for every subscriber. */
  end(): void
}

/**
 * Creates a stream that is encoded while there are listeners: by `start` with the first one, until the last one leaves. A
 * keyframe follows each half second and none is made on request. A failure of the encoder ends the stream.
 */
export function createEncodedStream(
  werift: Werift,
  { hasAudio, hasVideo }: { readonly hasAudio: boolean; readonly hasVideo: boolean },
  start: (viewer: Viewer) => Promise<Watching>,
): EncodedStream {
  const listeners = new Set<PacketListener>()
  let watching: Promise<Watching | undefined> | undefined
  /** Resolves when no encoder runs any more: the next one may start. */
  let stopped: Promise<unknown> = Promise.resolve()
  let hasEnded = false

  function watch(): Promise<Watching | undefined> {
    const packetizers = { video: new werift.Vp8Packetizer(), audio: new werift.OpusPacketizer() }
    const onUnit = ({ kind, data, place }: EncodedUnit) => {
      const time = (place * 1000) / CLOCK_RATES[kind]
      for (const packet of packetizers[kind].packetize(Buffer.from(data), place % 2 ** 32))
        for (const listener of listeners) listener.onPacket(kind, packet, time)
    }
    const started = stopped.then(() => start({ onUnit, onFailure: end }))
    return started.catch(() => {
      end()
      return undefined
    })
  }
  function stop(): void {
    const left = watching
    watching = undefined
    stopped = Promise.all([stopped, left?.then((started) => started?.stop())]).catch(() => {}) // it has failed
  }
  function end(): void {
    if (hasEnded) return
    hasEnded = true
    stop()
    for (const listener of listeners) listener.onEnd()
    listeners.clear()
  }

  return {
    videoCodec: hasVideo ? 'VP8' : undefined,
    audioCodec: hasAudio ? 'OPUS' : undefined,
    listen(listener) {
      if (hasEnded) listener.onEnd()
      else {
        listeners.add(listener)
        watching ??= watch()
      }
      return () => {
        if (listeners.delete(listener) && listeners.size === 0) stop()
      }
    },
    requestKeyframe() {},
    end,
  }
}
