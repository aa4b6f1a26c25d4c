import type { ProblemType } from './problem-types.ts'

/** Seconds of the header Retry-After of problems that a later retry can cure, if the answer does not have others. */
const seconds: Partial<Record<ProblemType, number>> = {
  'control-in-progress': 30,
  'show-not-open': 2,
  'recording-busy': 30,
  'platform-failed': 10,
  'platform-unreachable': 10,
}

/** Returns the seconds after which a request that has this problem may be repeated; undefined where a retry cannot cure it. */
export const retryAfterOf = (type: ProblemType): number | undefined => seconds[type]
