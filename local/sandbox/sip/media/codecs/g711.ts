/** Coder of single samples in 8 bits (ITU-T G.711). */
export interface G711 {
  encode(samples: Int16Array): Uint8Array
  decode(payload: Uint8Array): Int16Array
}

/** Added before the segment is searched, and the greatest magnitude that is coded (G.711, table 2). */
const MU_BIAS = 0x84
const MU_CLIP = 32_635
/** Even bits of A-law are inverted on the line. */
const A_TOGGLE = 0x55

function encodeMu(sample: number): number {
  const sign = sample < 0 ? 0x80 : 0
  const magnitude = Math.min(Math.abs(sample), MU_CLIP) + MU_BIAS
  const segment = 24 - Math.clz32(magnitude) // 0 for a highest bit 7
  return ~(sign | (segment << 4) | ((magnitude >> (segment + 3)) & 0x0f)) & 0xff
}

function decodeMu(byte: number): number {
  const code = ~byte
  const magnitude = ((((code & 0x0f) << 3) + MU_BIAS) << ((code >> 4) & 7)) - MU_BIAS
  return code & 0x80 ? -magnitude : magnitude
}

function encodeA(sample: number): number {
  const sign = sample >= 0 ? 0x80 : 0
  const magnitude = sample >= 0 ? sample : -sample - 1
  const segment = Math.max(0, 24 - Math.clz32(magnitude)) // 0 and 1 have equal steps
  const mantissa = (magnitude >> (segment === 0 ? 4 : segment + 3)) & 0x0f
  return (sign | (segment << 4) | mantissa) ^ A_TOGGLE
}

function decodeA(byte: number): number {
  const code = byte ^ A_TOGGLE
  const segment = (code >> 4) & 7
  const step = ((code & 0x0f) << 4) + 8
  const magnitude = segment === 0 ? step : (step + 0x100) << (segment - 1)
  return code & 0x80 ? magnitude : -magnitude
}

function createG711(encodeSample: (sample: number) => number, decodeByte: (byte: number) => number): G711 {
  const codes = Uint8Array.from({ length: 65_536 }, (_, index) => encodeSample(index - 32_768))
  const values = Int16Array.from({ length: 256 }, (_, byte) => decodeByte(byte))
  // Loops: `from` of a typed array takes ten times as long.
  return {
    encode(samples) {
      const payload = new Uint8Array(samples.length)
      for (let place = 0; place < samples.length; place++)
        payload[place] = codes[(samples[place] as number) + 32_768] as number
      return payload
    },
    decode(payload) {
      const samples = new Int16Array(payload.length)
      for (let place = 0; place < samples.length; place++) samples[place] = values[payload[place] as number] as number
      return samples
    },
  }
}

/** G.711 µ-law, as PCMU is in RTP (RFC 3551, 4.5.14). */
export const muLaw = createG711(encodeMu, decodeMu)

/** G.711 A-law, as PCMA is in RTP. */
export const aLaw = createG711(encodeA, decodeA)
