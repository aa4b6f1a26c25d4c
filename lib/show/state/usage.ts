import { z } from 'zod'
import { meetingSummary, usageMinutes } from '../../platform/contract/insights/insights-answers.ts'

const time = z.iso.datetime()

/** Minutes of each kind, as Insights count them; null for what they do not tell. */
const minutes = usageMinutes

/** `usage/<date>.json`: what the platform's project has used on one day. */
export const dayUsage = z.object({
  version: z.literal(1),
  /** In UTC. */
  date: z.iso.date(),
  askedAt: time,
  minutes,
})
export type DayUsage = z.output<typeof dayUsage>

/** `shows/<id>/usage.json`: what was used while a show went on. */
export const showUsage = z.object({
  version: z.literal(1),
  showId: z.string(),
  sessionId: z.string(),
  /** When the show began to use something, and when it was over. */
  from: time,
  to: time,
  askedAt: time,
  /** Of the whole project in that time, since Insights do not tell sessions apart; null until they tell it. */
  minutes: minutes.nullable(),
  /** Of the show's own session; null without the platform's advanced Insights. */
  meetings: z.array(meetingSummary).nullable(),
})
export type ShowUsage = z.output<typeof showUsage>
