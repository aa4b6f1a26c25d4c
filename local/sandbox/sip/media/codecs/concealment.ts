/** Replaces audio that was lost on its way. */
export interface Concealment {
  /** Returns decoded samples, faded in after a loss. */
  received(samples: Int16Array): Int16Array
  /** Returns samples in place of lost ones. */
  lost(count: number): Int16Array
}

/** Bounds of the period that is repeated, as frequencies in hertz (G.711, appendix I). */
const MIN_PITCH = 66
const MAX_PITCH = 200
/** Seconds that are compared to find it, and seconds of the fade after a loss. */
const COMPARED = 0.02
const FADE_IN = 0.005
/** Seconds for which the audio is repeated unchanged, and seconds after which it has faded out. */
const UNCHANGED = 0.01
const FADED_OUT = 0.06

/**
 * Creates a concealment that repeats the last period of the voice and fades it out within 60 ms, on the model of G.711,
 * appendix I.
 */
export function createConcealment(rate: number): Concealment {
  const longest = Math.round(rate / MIN_PITCH)
  const shortest = Math.round(rate / MAX_PITCH)
  const compared = Math.round(rate * COMPARED)
  const history = new Int16Array(longest + compared)
  /** Samples that were replaced in a row, and the period that is repeated. */
  let replaced = 0
  let period: Int16Array | undefined

  const next = () => {
    const { length } = period as Int16Array
    const seconds = replaced / rate
    const volume = Math.max(0, Math.min(1, (FADED_OUT - seconds) / (FADED_OUT - UNCHANGED)))
    return Math.round(((period as Int16Array)[replaced++ % length] as number) * volume)
  }
  function remember(samples: Int16Array): void {
    const last = samples.subarray(-history.length)
    history.copyWithin(0, last.length)
    history.set(last, history.length - last.length)
  }
  return {
    received(samples) {
      if (period) {
        const fade = Math.min(samples.length, Math.round(rate * FADE_IN))
        samples = Int16Array.from(samples)
        for (let place = 0; place < fade; place++) {
          const share = (place + 1) / (fade + 1)
          samples[place] = Math.round((samples[place] as number) * share + next() * (1 - share))
        }
        period = undefined
        replaced = 0
      }
      remember(samples)
      return samples
    },
    lost(count) {
      period ??= history.slice(-periodOf(history, shortest, longest, compared))
      return Int16Array.from({ length: count }, next)
    },
  }
}

/** Returns the length after which the end of a signal resembles itself most. */
function periodOf(signal: Int16Array, shortest: number, longest: number, compared: number): number {
  const start = signal.length - compared
  let best = longest
  let bestLikeness = -Infinity
  for (let lag = shortest; lag <= longest; lag++) {
    let product = 0
    let energy = 1
    for (let place = start; place < signal.length; place++) {
      const earlier = signal[place - lag] as number
      product += (signal[place] as number) * earlier
      energy += earlier * earlier
    }
    const likeness = product / Math.sqrt(energy)
    if (likeness > bestLikeness) [best, bestLikeness] = [lag, likeness]
  }
  return best
}
