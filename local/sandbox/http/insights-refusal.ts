import { type InsightsErrorCode, insightsErrors } from '../../../lib/platform/contract/insights/insights.ts'

/** What a query asked for cannot be answered; the message goes out as it is. */
export class InsightsRefusal extends Error {
  override readonly name = 'InsightsRefusal'
  readonly code: InsightsErrorCode

  constructor(code: InsightsErrorCode, detail?: string) {
    super(wordsOf(code, detail))
    this.code = code
  }
}

/** The documented meaning of a code, and what it means here. */
export const wordsOf = (code: InsightsErrorCode, detail?: string) =>
  `${insightsErrors[code].meaning}${detail ? `: ${detail.replace(/\.$/, '')}` : ''}.`
