import { PlatformRequestError } from '../../platform/client/errors.ts'
import { usageMinutes } from '../../platform/contract/insights/insights-answers.ts'
import { limits } from '../../platform/contract/limits.ts'
import type { Services } from '../../services.ts'
import type { DayUsage, ShowUsage } from '../../show/state/usage.ts'
import { qualityOf } from './quality.ts'

type Minutes = DayUsage['minutes']

const DAY = 86_400_000
/** Milliseconds after which Insights report minutes, and meetings. */
const MINUTES_LATENCY = limits.usageLatencyMax.value * 3_600_000
const MEETINGS_LATENCY = limits.qualityLatency.value * 60_000
/** Milliseconds for which Insights keep quality, and minutes. */
const QUALITY_RETENTION = limits.qualityRetention.value * DAY
const RETENTION = limits.usageRetention.value * DAY
/** Days back that are checked for missing records: longer than an outage is likely to last. */
const DAYS_BACK = 14

type Recording = Pick<Services, 'platform' | 'records' | 'usageRecords' | 'clock' | 'variable'>

interface Warnings {
  warn(message: string): void
}

const hasInsights = ({ variable }: Recording) => variable('INSIGHTS_URL') !== 'none'

/** Records what Insights report of a show by now, and settles it once that is all. @returns whether anything was recorded */
export async function recordShow(services: Recording, showId: string, log: Warnings): Promise<boolean> {
  const { records, usageRecords, clock, variable } = services
  const state = await records.readState(showId)
  const { sessionId, startedAt: from, endedAt } = state ?? {}
  const since = clock.now() - Date.parse(endedAt ?? '')
  if (!sessionId || !from || !endedAt || since > RETENTION || !hasInsights(services)) {
    await usageRecords.settle(showId)
    return false
  }
  const to = laterThan(from, endedAt)
  const isAdvanced = variable('INSIGHTS_PLAN') === 'advanced'
  const known = await usageRecords.readShow(showId)
  const wantsMeetings = isAdvanced && !known?.meetings && since >= MEETINGS_LATENCY
  const wantsMinutes = !known?.minutes && since >= MINUTES_LATENCY
  const range = { start: from, end: to }
  const meetings = wantsMeetings ? await meetingsOf(services, { sessionId, range, log }) : (known?.meetings ?? null)
  if (wantsMeetings || wantsMinutes) {
    const usage: ShowUsage = {
      ...{ version: 1, showId, sessionId, from, to, askedAt: new Date(clock.now()).toISOString() },
      minutes: wantsMinutes ? await minutesIn(services, range) : (known?.minutes ?? null),
      meetings,
    }
    await usageRecords.writeShow(usage)
  }
  const wantsQuality =
    meetings !== null && since <= QUALITY_RETENTION && (await usageRecords.readQuality(showId)) === undefined
  if (wantsQuality) {
    const quality = await unlessBasic(log, async () => qualityOf(await services.platform(), sessionId))
    const askedAt = new Date(clock.now()).toISOString()
    if (quality) await usageRecords.writeQuality({ version: 1, showId, sessionId, askedAt, ...quality })
  }
  if (since >= MINUTES_LATENCY) await usageRecords.settle(showId)
  return wantsMeetings || wantsMinutes || wantsQuality
}

/** Returns an end, or one second after the start of a show that ended at once: Insights refuse an empty range. */
const laterThan = (from: string, to: string) => (to > from ? to : new Date(Date.parse(from) + 1000).toISOString())

/** Returns the dates that Insights report and that are not recorded yet, oldest first. */
export async function missingDays(services: Recording): Promise<string[]> {
  if (!hasInsights(services)) return []
  const last = Math.floor((services.clock.now() - MINUTES_LATENCY) / DAY) * DAY - DAY
  const dates = Array.from({ length: DAYS_BACK }, (_, index) => dateOf(last - (DAYS_BACK - 1 - index) * DAY))
  const known = await services.usageRecords.listDays(dates[0] ?? '', dates.at(-1) ?? '')
  return dates.filter((date) => !known.includes(date))
}

export async function recordDay(services: Recording, date: string): Promise<void> {
  const { usageRecords, clock } = services
  const end = dateOf(Date.parse(date) + DAY)
  const minutes = await minutesIn(services, { start: `${date}T00:00:00.000Z`, end: `${end}T00:00:00.000Z` })
  await usageRecords.writeDay({ version: 1, date, askedAt: new Date(clock.now()).toISOString(), minutes })
}

const dateOf = (time: number) => new Date(time).toISOString().slice(0, 10)

interface Range {
  readonly start: string
  readonly end: string
}

/** Returns the minutes of the project in a range; null for kinds that Insights do not report. */
async function minutesIn({ platform }: Recording, range: Range): Promise<Minutes> {
  const { insights } = await platform()
  const metrics = await Array.fromAsync(insights.usage({ ...range, interval: 'DAILY' }))
  const kinds = Object.keys(usageMinutes.shape) as (keyof Minutes)[]
  const sum = (kind: keyof Minutes) => {
    const reported = metrics.flatMap(({ usage }) => usage?.[kind] ?? [])
    return reported.length > 0 ? reported.reduce((total, minutes) => total + minutes, 0) : null
  }
  return Object.fromEntries(kinds.map((kind) => [kind, sum(kind)])) as Minutes
}

/** Returns the meetings of one session; null if the project does not have the add-on. */
async function meetingsOf(
  { platform }: Recording,
  { sessionId, range, log }: { sessionId: string; range: Range; log: Warnings },
): Promise<ShowUsage['meetings']> {
  const { insights } = await platform()
  return unlessBasic(log, async () => {
    const meetings = await Array.fromAsync(insights.sessions(range))
    return meetings.filter((meeting) => meeting.sessionId === sessionId)
  })
}

/** Returns null and logs a warning if the project does not have the add-on. */
async function unlessBasic<Answer>(log: Warnings, query: () => Promise<Answer>): Promise<Answer | null> {
  try {
    return await query()
  } catch (error) {
    if (!(error instanceof PlatformRequestError) || error.details.errorCode !== NO_ADD_ON) throw error
    log.warn('The project has no advanced Insights: set platform.insights to basic.')
    return null
  }
}

const NO_ADD_ON = 1014
