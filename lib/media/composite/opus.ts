/** Opus counts samples at this rate whatever it was recorded at. */
export const SAMPLES_PER_SECOND = 48_000

/** Samples of a frame by the last two bits of its configuration (RFC 6716, Table 2): SILK, hybrid, CELT. */
const SILK = [480, 960, 1920, 2880] as const
const HYBRID = [480, 960] as const
const CELT = [120, 240, 480, 960] as const

/** How many samples a packet decodes to (RFC 6716, 3.1 and 3.2); 0 for one that is no packet. */
export function samplesIn(packet: Uint8Array): number {
  const [head, second = 0] = packet
  if (head === undefined) return 0
  const configuration = head >> 3
  const samples =
    configuration < 12
      ? SILK[configuration & 3]
      : configuration < 16
        ? HYBRID[configuration & 1]
        : CELT[configuration & 3]
  const frames = [1, 2, 2, second & 63][head & 3] as number
  return (samples ?? 0) * frames
}

/** A packet of silence of 120, 240, 480 or 960 samples: one CELT frame with the flag for silence set. */
const SILENCE = new Map(CELT.map((samples, index) => [samples, Buffer.from([(28 + index) << 3, 0xff, 0xfe])]))

/** The fewest samples of silence there can be. */
export const MIN_SILENCE = CELT[0]

/** Packets of silence that together last as long as asked, down to less than the fewest samples. */
export function* silence(samples: number): Generator<{ data: Buffer; samples: number }> {
  let left = samples
  for (const length of CELT.toReversed()) {
    for (; left >= length; left -= length) yield { data: SILENCE.get(length) as Buffer, samples: length }
  }
}

/** The head of an Opus stream (RFC 7845, 5.1) of which nothing is left out at its beginning. */
export function opusHead(channels: number): Buffer {
  const head = Buffer.alloc(19)
  head.write('OpusHead')
  head.writeUInt8(1, 8)
  head.writeUInt8(channels, 9)
  head.writeUInt32LE(SAMPLES_PER_SECOND, 12)
  return head
}
