import type { PacketSource } from '../../../webrtc/live-stream.ts'
import { createOpusCodec } from '../codecs/opus-codec.ts'
import { createJitterBuffer, type JitterBuffer } from '../rtp/jitter-buffer.ts'
import type { Voice } from './voice.ts'

/** Creates the voice of a client's live stream, whose Opus packets are decoded. */
export function createLiveVoice(stream: Pick<PacketSource, 'listen'>): Voice {
  let buffer: JitterBuffer | undefined
  let isClosed = false
  let free = () => {}
  void createOpusCodec().then((codec) => {
    if (isClosed) return codec.close()
    free = codec.close
    buffer = createJitterBuffer(codec)
  })
  const stop = stream.listen({
    onPacket(kind, { header, payload }) {
      if (kind !== 'audio') return
      const { payloadType, marker, sequenceNumber: sequence, timestamp, ssrc } = header
      buffer?.push({ payloadType, marker, sequence, timestamp, ssrc, payload })
    },
    onEnd() {},
  })
  return {
    take: () => buffer?.take(),
    skip: (blocks) => buffer?.skip(blocks),
    close() {
      isClosed = true
      stop()
      buffer = undefined
      free()
    },
  }
}
