/** Creates a sine tone, at 48 kHz by default. `start` is the sample at which it begins. */
export const toneAt = (hertz: number, length: number, { rate = 48_000, peak = 8_000, start = 0 } = {}): Int16Array =>
  Int16Array.from({ length }, (_, sample) =>
    Math.round(peak * Math.sin((2 * Math.PI * hertz * (start + sample)) / rate)),
  )

/** Peak of a tone in samples (Goertzel): that of the sine that is contained. */
export function peakOf(samples: Int16Array, hertz: number, rate = 48_000): number {
  let real = 0
  let imaginary = 0
  for (const [place, sample] of samples.entries()) {
    const angle = (2 * Math.PI * hertz * place) / rate
    real += sample * Math.cos(angle)
    imaginary += sample * Math.sin(angle)
  }
  return (2 * Math.hypot(real, imaginary)) / Math.max(1, samples.length)
}

/** Joins blocks of samples. */
export function joined(blocks: readonly Int16Array[]): Int16Array {
  const samples = new Int16Array(blocks.reduce((sum, { length }) => sum + length, 0))
  let place = 0
  for (const block of blocks) {
    samples.set(block, place)
    place += block.length
  }
  return samples
}
