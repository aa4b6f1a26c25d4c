/** Changes the rate of a signal. It remembers the end of each block, so that blocks join without a seam. */
export type Resample = (samples: Int16Array) => Int16Array

/** Taps of the filter for each sample of the lower rate. */
const TAPS_PER_SAMPLE = 16
/** Part of the lower rate's band that passes. The rest is the slope of the filter. */
const PASSBAND = 0.9

/** Creates a resampler to a rate `factor` times as high. */
export function createUpsampler(factor: number): Resample {
  const filter = lowPass(factor)
  /** The taps of each phase, which are `factor` apart in the filter, in the order of the samples. */
  const phases = Float64Array.from(filter, (_, index) => {
    const phase = Math.floor(index / TAPS_PER_SAMPLE)
    const tap = TAPS_PER_SAMPLE - 1 - (index % TAPS_PER_SAMPLE)
    return (filter[tap * factor + phase] as number) * factor
  })
  const extend = createHistory(TAPS_PER_SAMPLE - 1)
  return (samples) => {
    const input = extend(samples)
    const output = new Int16Array(samples.length * factor)
    for (let place = 0; place < samples.length; place++)
      for (let phase = 0; phase < factor; phase++)
        output[place * factor + phase] = clip(
          sumOfProducts(phases, phase * TAPS_PER_SAMPLE, input, place, TAPS_PER_SAMPLE),
        )
    return output
  }
}

/** Creates a resampler to a rate `factor` times as low. Blocks are multiples of the factor. */
export function createDownsampler(factor: number): Resample {
  const filter = lowPass(factor) // symmetric, so its order is that of the samples as well
  const extend = createHistory(filter.length - 1)
  return (samples) => {
    const input = extend(samples)
    const output = new Int16Array(samples.length / factor)
    for (let place = 0; place < output.length; place++)
      output[place] = clip(sumOfProducts(filter, 0, input, place * factor, filter.length))
    return output
  }
}

/** Creates a function that returns samples after the last ones before them. */
function createHistory(count: number): (samples: Int16Array) => Float64Array {
  let input = new Float64Array(count)
  return (samples) => {
    if (input.length === count + samples.length) input.copyWithin(0, samples.length)
    else {
      const last = input.subarray(input.length - count)
      input = new Float64Array(count + samples.length)
      input.set(last)
    }
    input.set(samples, count)
    return input
  }
}

/**
 * Returns the sum of the products of taps and samples. It adds to four sums in turn: additions to one wait for each other.
 * @param count a multiple of four
 */
function sumOfProducts(
  taps: Float64Array,
  firstTap: number,
  input: Float64Array,
  first: number,
  count: number,
): number {
  let one = 0
  let two = 0
  let three = 0
  let four = 0
  for (let index = 0; index < count; index += 4) {
    one += (taps[firstTap + index] as number) * (input[first + index] as number)
    two += (taps[firstTap + index + 1] as number) * (input[first + index + 1] as number)
    three += (taps[firstTap + index + 2] as number) * (input[first + index + 2] as number)
    four += (taps[firstTap + index + 3] as number) * (input[first + index + 3] as number)
  }
  return one + two + three + four
}

/** Returns a low-pass filter for the higher rate: a sinc in a Blackman window, whose sum is 1. */
function lowPass(factor: number): Float64Array {
  const length = factor * TAPS_PER_SAMPLE
  const cutoff = PASSBAND / factor
  const taps = Float64Array.from({ length }, (_, tap) => {
    const place = tap - (length - 1) / 2
    const sinc = place === 0 ? 1 : Math.sin(Math.PI * cutoff * place) / (Math.PI * cutoff * place)
    const turn = (2 * Math.PI * tap) / (length - 1)
    return sinc * (0.42 - 0.5 * Math.cos(turn) + 0.08 * Math.cos(2 * turn))
  })
  const sum = taps.reduce((total, tap) => total + tap, 0)
  return taps.map((tap) => tap / sum)
}

const clip = (sum: number) => (sum > 32_767 ? 32_767 : sum < -32_768 ? -32_768 : Math.floor(sum + 0.5))
