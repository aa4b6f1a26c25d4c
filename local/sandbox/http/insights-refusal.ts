import { type InsightsErrorCode, insightsErrors } from '../../../lib/platform/contract/insights/insights.ts'

/** Thrown for a query that cannot be answered; the message is sent as it is. */
export class InsightsRefusal extends Error {
  override readonly name = 'InsightsRefusal'
  readonly code: InsightsErrorCode

  constructor(code: InsightsErrorCode, detail?: string) {
    super(messageOf(code, detail))
    this.code = code
  }
}

/** Returns the message of an error code: its documented meaning, and the detail of this case. */
export const messageOf = (code: InsightsErrorCode, detail?: string) =>
  `${insightsErrors[code].meaning}${detail ? `: ${detail.replace(/\.$/, '')}` : ''}.`
