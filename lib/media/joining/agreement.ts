/** The agreement of two recordings at a shift in seconds: 1 for equal ones, about 0 for different ones. */
export interface Agreement {
  readonly shift: number
  readonly score: number
}

const MIN_SCORE = 0.5
/** Seconds around the best shift whose scores are not compared with it. */
const NEIGHBOURHOOD = 0.3

/**
 * Returns the best of all shifts. Its confidence is 1 when only this one fits. A rival, such as content that repeats each
 * second, lowers it to 0 when it is as good.
 */
export function pickAgreement(agreements: readonly Agreement[]) {
  const best = agreements.reduce<Agreement | undefined>((a, b) => (a && a.score >= b.score ? a : b), undefined)
  if (!best || best.score < MIN_SCORE) return undefined
  const rivals = agreements.filter(({ shift }) => Math.abs(shift - best.shift) > NEIGHBOURHOOD)
  const rival = rivals.reduce((highest, { score }) => Math.max(highest, score), 0)
  return { ...best, confidence: Math.max(0, 1 - (1 - best.score + 1e-6) / (1 - rival + 1e-6)) }
}
