import type { Codec } from './codec.ts'

/** Bits per second of mono speech and music at 48 kHz (RFC 7587, 3.1.1 recommends 28 to 40 kbit/s for speech). */
const BITRATE = 40_000
const MIN_NODE = 22

/** Returns true where the library of Opus runs. */
export const hasOpus = (version = process.versions.node) => Number.parseInt(version, 10) >= MIN_NODE

/** Creates an Opus codec in WebAssembly, which is loaded on its first use. */
export async function createOpusCodec(): Promise<Codec> {
  const { Application, createDecoder, createEncoder } = await import('libopus-wasm')
  const encoder = await createEncoder({
    channels: 1,
    application: Application.Voip,
    bitrate: BITRATE,
    fec: true,
    packetLossPercent: 5,
  })
  const decoder = await createDecoder({ channels: 1 })
  return {
    clockRate: 48_000,
    encode: (block) => encoder.encode(block),
    decode: (payload) => decoder.decode(payload),
    conceal: (count) => decoder.decodePacketLoss(count),
    close() {
      encoder.free()
      decoder.free()
    },
  }
}
