/** Decibels of full scale that count as silence. */
const FLOOR = -60

/** Returns the level of samples: their root mean square in decibels, from 0 at -60 dB to 1 at 0 dB. */
export function levelOf(samples: Float32Array): number {
  const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, samples.length)
  if (power <= 0) return 0
  return Math.min(1, Math.max(0, (10 * Math.log10(power) - FLOOR) / -FLOOR))
}
