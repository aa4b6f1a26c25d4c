import { z } from 'zod'
import { meetingSummary, usageMinutes } from '../../platform/contract/insights/insights-answers.ts'

const time = z.iso.datetime()

/** Minutes of each kind from Insights; null if Insights report none. */
const minutes = usageMinutes

/** `usage/<date>.json`: usage of the platform project on one day. */
export const dayUsage = z.object({
  version: z.literal(1),
  /** In UTC. */
  date: z.iso.date(),
  askedAt: time,
  minutes,
})
export type DayUsage = z.output<typeof dayUsage>

/** `shows/<id>/usage.json`: usage during a show. */
export const showUsage = z.object({
  version: z.literal(1),
  showId: z.string(),
  sessionId: z.string(),
  /** Start and end of the show. */
  from: time,
  to: time,
  askedAt: time,
  /** Minutes of the whole project in that time, because Insights do not separate sessions; null until they are known. */
  minutes: minutes.nullable(),
  /** Meetings of the show's session; null without the platform's advanced Insights. */
  meetings: z.array(meetingSummary).nullable(),
})
export type ShowUsage = z.output<typeof showUsage>
