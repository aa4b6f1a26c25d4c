/** Changes the rate of a signal. It remembers the end of each block, so that blocks join without a seam. */
export type Resample = (samples: Int16Array) => Int16Array

/** Taps of the filter for each sample of the lower rate. */
const TAPS_PER_SAMPLE = 16
/** Part of the lower rate's band that passes. The rest is the slope of the filter. */
const PASSBAND = 0.9

/** Creates a resampler to a rate `factor` times as high. */
export function createUpsampler(factor: number): Resample {
  const filter = lowPass(factor)
  const before = TAPS_PER_SAMPLE - 1
  let history = new Float32Array(before)
  return (samples) => {
    const input = new Float32Array(before + samples.length)
    input.set(history)
    input.set(samples, before)
    history = input.slice(samples.length)
    const output = new Int16Array(samples.length * factor)
    for (let place = 0; place < samples.length; place++)
      for (let phase = 0; phase < factor; phase++) {
        let sum = 0
        for (let tap = 0; tap < TAPS_PER_SAMPLE; tap++)
          sum += (filter[tap * factor + phase] as number) * (input[before + place - tap] as number)
        output[place * factor + phase] = clip(sum * factor)
      }
    return output
  }
}

/** Creates a resampler to a rate `factor` times as low. Blocks are multiples of the factor. */
export function createDownsampler(factor: number): Resample {
  const filter = lowPass(factor)
  const before = filter.length - 1
  let history = new Float32Array(before)
  return (samples) => {
    const input = new Float32Array(before + samples.length)
    input.set(history)
    input.set(samples, before)
    history = input.slice(samples.length)
    const output = new Int16Array(samples.length / factor)
    for (let place = 0; place < output.length; place++) {
      let sum = 0
      const newest = before + place * factor
      for (let tap = 0; tap < filter.length; tap++) sum += (filter[tap] as number) * (input[newest - tap] as number)
      output[place] = clip(sum)
    }
    return output
  }
}

/** Returns a low-pass filter for the higher rate: a sinc in a Blackman window, whose sum is 1. */
function lowPass(factor: number): Float32Array {
  const length = factor * TAPS_PER_SAMPLE
  const cutoff = PASSBAND / factor
  const taps = Float32Array.from({ length }, (_, tap) => {
    const place = tap - (length - 1) / 2
    const sinc = place === 0 ? 1 : Math.sin(Math.PI * cutoff * place) / (Math.PI * cutoff * place)
    const turn = (2 * Math.PI * tap) / (length - 1)
    return sinc * (0.42 - 0.5 * Math.cos(turn) + 0.08 * Math.cos(2 * turn))
  })
  const sum = taps.reduce((total, tap) => total + tap, 0)
  return taps.map((tap) => tap / sum)
}

const clip = (sum: number) => Math.max(-32_768, Math.min(32_767, Math.round(sum)))
