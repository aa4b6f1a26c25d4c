import type { InsightsErrorCode } from '../../../lib/platform/contract/insights/insights.ts'
import { messageOf } from './insights-refusal.ts'
import { Refusal, type TokenProblem, TokenRefusal } from './refusal.ts'

const codes: Readonly<Record<TokenProblem, InsightsErrorCode>> = {
  unknownKey: 1000,
  missing: 1001,
  malformed: 1011,
  wrongSecret: 1019,
  unreliable: 1020,
}

/** Returns the fields that an error of Insights carries besides `code` and `message`. */
export function insightsErrorsOf(error: unknown) {
  const code = error instanceof TokenRefusal ? codes[error.problem] : error instanceof Refusal ? undefined : 1012
  if (code === undefined) return {}
  const detail = error instanceof TokenRefusal ? error.message : undefined
  return { errors: [{ message: messageOf(code, detail), locations: [], path: null, errorCode: code }] }
}
