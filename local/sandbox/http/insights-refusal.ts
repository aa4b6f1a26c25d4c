import { type InsightsErrorCode, insightsErrors } from '../../../lib/platform/contract/insights/insights.ts'
import { Refusal, type TokenProblem, TokenRefusal } from './refusal.ts'

/** Thrown for a query that cannot be answered; the message is sent as it is. */
export class InsightsRefusal extends Error {
  override readonly name = 'InsightsRefusal'
  readonly code: InsightsErrorCode

  constructor(code: InsightsErrorCode, detail?: string) {
    super(refusalMessageOf(code, detail))
    this.code = code
  }
}

/** Returns the message of an error code: its documented meaning, and the detail of this case. */
export const refusalMessageOf = (code: InsightsErrorCode, detail?: string) =>
  `${insightsErrors[code].meaning}${detail ? `: ${detail.replace(/\.$/, '')}` : ''}.`

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
  return { errors: [{ message: refusalMessageOf(code, detail), locations: [], path: null, errorCode: code }] }
}
