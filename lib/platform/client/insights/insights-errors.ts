import type { z } from 'zod'
import type { InsightsErrorCode, insightsError } from '../../contract/insights/insights.ts'
import { classify, MAX_MESSAGE_LENGTH, type PlatformError, PlatformResponseError } from '../errors.ts'

/** Which status would call for the same next step as a code; 400 where none is named. */
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

/** A JSON Web Token in the words of a platform that repeats what it was sent. */
const TOKEN = /eyJ[\w-]*\.[\w-]+\.[\w-]*/g

/** The first of an answer's `errors` as an error of the class that calls for the same next step. */
export function insightsFailure({ message, errorCode }: z.output<typeof insightsError>): PlatformError {
  const words = message.replace(TOKEN, '[redacted]').slice(0, MAX_MESSAGE_LENGTH)
  const { errorClass, advice } = classify(statuses[errorCode as InsightsErrorCode] ?? 400)
  const code = errorCode === undefined ? '' : ` ${errorCode}`
  return new errorClass(`queryInsights was answered with the error${code} (${words.replace(/\.$/, '')}); ${advice}.`, {
    status: 200,
    details: { operation: 'queryInsights', attempt: 1, message: words, ...(errorCode !== undefined && { errorCode }) },
  })
}

/** An answer that is none the contract knows. */
export const insightsSurprise = (problem: string): PlatformError =>
  new PlatformResponseError(`queryInsights was answered with data of another shape (${problem}); check insightsUrl.`, {
    status: 200,
    details: { operation: 'queryInsights', attempt: 1 },
  })
