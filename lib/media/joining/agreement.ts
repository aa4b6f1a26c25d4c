/** How well two recordings agree when one of them is moved: seconds, and 1 for the same, about 0 for strangers. */
export interface Agreement {
  readonly shift: number
  readonly score: number
}

export interface SureAgreement extends Agreement {
  /** From 0, when another shift is as good, to 1, when only this one is. */
  readonly confidence: number
}

/** Agreement below this is none. */
const MIN_SCORE = 0.5
/** Seconds around the best shift that are no rivals of it. */
const NEIGHBOURHOOD = 0.3

/** The best of all shifts, and how sure that is: a rival, as where the same comes again each second, makes it unsure. */
export function judge(agreements: readonly Agreement[]): SureAgreement | undefined {
  const best = agreements.reduce<Agreement | undefined>((a, b) => (a && a.score >= b.score ? a : b), undefined)
  if (!best || best.score < MIN_SCORE) return undefined
  const rivals = agreements.filter(({ shift }) => Math.abs(shift - best.shift) > NEIGHBOURHOOD)
  const rival = rivals.reduce((highest, { score }) => Math.max(highest, score), 0)
  return { ...best, confidence: Math.max(0, 1 - (1 - best.score + 1e-6) / (1 - rival + 1e-6)) }
}
