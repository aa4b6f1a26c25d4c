/** Opus counts samples at this rate for every stream. */
export const SAMPLES_PER_SECOND = 48_000

/** Samples of a frame by the last two bits of its configuration (RFC 6716, Table 2): SILK, hybrid, CELT. */
const SILK = [480, 960, 1920, 2880] as const
const HYBRID = [480, 960] as const
const CELT = [120, 240, 480, 960] as const

/** Counts the samples that a packet decodes to (RFC 6716, 3.1 and 3.2); 0 for an invalid packet. */
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

/** The shortest silence in samples. */
export const MIN_SILENCE = CELT[0]

/** Yields packets of silence for a number of samples, rounded down to a multiple of {@link MIN_SILENCE}. */
export function* silence(samples: number): Generator<{ data: Buffer; samples: number }> {
  let left = samples
  for (const [index, length] of [...CELT.entries()].toReversed()) {
    const data = Buffer.from([(28 + index) << 3, 0xff, 0xfe]) // one CELT frame with the flag for silence set
    for (; left >= length; left -= length) yield { data, samples: length }
  }
}
