import type { z } from 'zod'
import type { InsightsErrorCode, insightsError } from '../../contract/insights/insights.ts'
import { classify, MAX_MESSAGE_LENGTH, type PlatformError, PlatformResponseError } from '../errors.ts'

/** The HTTP status with the same error class as a code. @default 400 */
const statuses: Readonly<Partial<Record<InsightsErrorCode, number>>> = {
  1000: 403,
  1001: 403,
  1011: 403,
  1012: 500,
  1015: 404,
  1016: 404,
  1017: 404,
  1019: 403,
  1020: 403,
  1021: 403,
}

/** A JSON Web Token in the platform's message, which may quote the request. */
const TOKEN = /eyJ[\w-]*\.[\w-]+\.[\w-]*/g

/** Converts the first of an answer's `errors` to an error of the corresponding class. */
export function insightsErrorOf({ message, errorCode }: z.output<typeof insightsError>): PlatformError {
  const reason = message.replace(TOKEN, '[redacted]').slice(0, MAX_MESSAGE_LENGTH)
  const { errorClass, advice } = classify(statuses[errorCode as InsightsErrorCode] ?? 400)
  const code = errorCode === undefined ? '' : ` ${errorCode}`
  return new errorClass(`queryInsights was answered with the error${code} (${reason.replace(/\.$/, '')}); ${advice}.`, {
    status: 200,
    details: { operation: 'queryInsights', attempt: 1, message: reason, ...(errorCode !== undefined && { errorCode }) },
  })
}

/** Returns the error of an answer that breaks the contract. */
export const unexpectedAnswer = (problem: string): PlatformError =>
  new PlatformResponseError(`queryInsights was answered with data of another shape (${problem}); check insightsUrl.`, {
    status: 200,
    details: { operation: 'queryInsights', attempt: 1 },
  })
