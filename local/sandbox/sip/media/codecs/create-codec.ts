import type { Codec } from './codec.ts'
import { type Concealment, createConcealment } from './concealment.ts'
import { aLaw, type G711, muLaw } from './g711.ts'
import { createOpusCodec } from './opus-codec.ts'
import { createDownsampler, createUpsampler } from './resampler.ts'

/** Codecs by their names in SDP (RFC 3551, 6 and RFC 7587, 7), in the order in which they are offered. */
export const codecNames = ['opus/48000/2', 'PCMU/8000', 'PCMA/8000'] as const

export type CodecName = (typeof codecNames)[number]

/** Samples at 48 kHz for each of G.711. */
const FACTOR = 6

/** Creates a codec for one call. */
export async function createCodec(name: CodecName): Promise<Codec> {
  if (name === 'opus/48000/2') return createOpusCodec()
  return createG711Codec(name === 'PCMU/8000' ? muLaw : aLaw)
}

function createG711Codec(law: G711): Codec {
  const down = createDownsampler(FACTOR)
  const up = createUpsampler(FACTOR)
  const concealment: Concealment = createConcealment(8_000)
  return {
    clockRate: 8_000,
    encode: (block) => law.encode(down(block)),
    decode: (payload) => up(concealment.received(law.decode(payload))),
    conceal: (count) => up(concealment.lost(count / FACTOR)),
    close() {},
  }
}
