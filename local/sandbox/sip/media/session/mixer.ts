import { SAMPLES_PER_BLOCK } from '../block.ts'

/**
 * Mixes one block for each listener: everything except what it says itself.
 * @param own what each listener says, undefined if it is not to be heard
 * @param others what all of them hear
 */
export function mixMinus(
  own: readonly (Int16Array | undefined)[],
  others: readonly (Int16Array | undefined)[],
): Int16Array[] {
  const sum = new Int32Array(SAMPLES_PER_BLOCK)
  for (const voice of [...own, ...others])
    for (let place = 0; voice && place < SAMPLES_PER_BLOCK; place++)
      sum[place] = (sum[place] as number) + (voice[place] as number)
  return own.map((voice) => {
    const mixed = new Int16Array(SAMPLES_PER_BLOCK)
    for (let place = 0; place < SAMPLES_PER_BLOCK; place++) {
      const sample = (sum[place] as number) - (voice ? (voice[place] as number) : 0)
      mixed[place] = sample > LOUDEST ? LOUDEST : sample < -LOUDEST ? -LOUDEST : sample
    }
    return mixed
  })
}

/** Greatest sample value; louder sums are clipped. */
const LOUDEST = 32_767
