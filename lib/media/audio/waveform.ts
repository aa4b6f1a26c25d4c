/** JSON of audiowaveform (peaks.js, wavesurfer): the lowest and highest 8-bit sample of each point, over all channels. */
export interface Waveform {
  readonly version: 2
  readonly channels: 1
  readonly sample_rate: number
  /** Samples of each channel in a point. */
  readonly samples_per_pixel: number
  readonly bits: 8
  readonly length: number
  readonly data: readonly number[]
}

/** Bounds the file to 50 KB: four points for each pixel of a wide screen. */
export const MAX_POINTS = 8000

/**
 * Creates a builder of a waveform from consecutive blocks.
 * @param seconds expected duration; a point is the smallest number of blocks that keeps to 8,000 points
 */
export function createWaveform({ seconds, sampleRate, blockSamples }: WaveformOptions) {
  const blocksInPoint = Math.max(1, Math.ceil((seconds * sampleRate) / blockSamples / MAX_POINTS))
  const data: number[] = []
  let blocks = 0
  let lowest = 0
  let highest = 0
  const close = () => {
    if (blocks > 0) data.push(lowest >> 8, highest >> 8)
    blocks = lowest = highest = 0
  }
  return {
    /** @param low, high the lowest and the highest sample of the block, as 16 bits */
    add(low: number, high: number) {
      lowest = Math.min(lowest, low)
      highest = Math.max(highest, high)
      blocks += 1
      if (blocks === blocksInPoint) close()
    },
    finish(): Waveform {
      close()
      const samples_per_pixel = blocksInPoint * blockSamples
      const length = data.length / 2
      return { version: 2, channels: 1, sample_rate: sampleRate, samples_per_pixel, bits: 8, length, data }
    },
  }
}

interface WaveformOptions {
  readonly seconds: number
  readonly sampleRate: number
  /** Samples of each channel. */
  readonly blockSamples: number
}
