import { PlatformRequestError } from '../../platform/client/errors.ts'
import { usageMinutes } from '../../platform/contract/insights/insights-answers.ts'
import { limits } from '../../platform/contract/limits.ts'
import type { Services } from '../../services.ts'
import type { DayUsage, ShowUsage } from '../../show/state/usage.ts'
import { qualityOf } from './quality.ts'

type Minutes = DayUsage['minutes']

const DAY = 86_400_000
/** Milliseconds after which Insights tell minutes, and meetings. */
const MINUTES_LATENCY = limits.usageLatencyMax.value * 3_600_000
const MEETINGS_LATENCY = limits.qualityLatency.value * 60_000
/** Milliseconds after which Insights have forgotten, quality before minutes. */
const QUALITY_MEMORY = limits.qualityRetention.value * DAY
const MEMORY = limits.usageRetention.value * DAY
/** How many days back are looked for what is not recorded yet: longer than anything is likely to be broken. */
const DAYS_BACK = 14

type Reach = Pick<Services, 'platform' | 'records' | 'usageRecords' | 'clock' | 'variable'>

/** Told what somebody should look at although it fails nothing. */
interface Warnings {
  warn(message: string): void
}

const asksAnybody = ({ variable }: Reach) => variable('INSIGHTS_URL') !== 'none'

/** Records what can be told of a show by now, and says whether it did; once nothing more is awaited of it, it is settled. */
export async function recordShow(services: Reach, showId: string, log: Warnings): Promise<boolean> {
  const { records, usageRecords, clock, variable } = services
  const state = await records.readState(showId)
  const { sessionId, startedAt: from, endedAt: to } = state ?? {}
  const since = clock.now() - Date.parse(to ?? '')
  if (!sessionId || !from || !to || since > MEMORY || !asksAnybody(services)) {
    await usageRecords.settle(showId)
    return false
  }
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
    meetings !== null && since <= QUALITY_MEMORY && (await usageRecords.readQuality(showId)) === undefined
  if (wantsQuality) {
    const quality = await unlessBasic(log, async () => qualityOf(await services.platform(), sessionId))
    const askedAt = new Date(clock.now()).toISOString()
    if (quality) await usageRecords.writeQuality({ version: 1, showId, sessionId, askedAt, ...quality })
  }
  if (since >= MINUTES_LATENCY) await usageRecords.settle(showId)
  return wantsMeetings || wantsMinutes || wantsQuality
}

/** The dates of which Insights can tell and nothing is recorded yet, oldest first. */
export async function missingDays(services: Reach): Promise<string[]> {
  if (!asksAnybody(services)) return []
  const last = Math.floor((services.clock.now() - MINUTES_LATENCY) / DAY) * DAY - DAY
  const dates = Array.from({ length: DAYS_BACK }, (_, index) => dateOf(last - (DAYS_BACK - 1 - index) * DAY))
  const known = await services.usageRecords.listDays(dates[0] ?? '', dates.at(-1) ?? '')
  return dates.filter((date) => !known.includes(date))
}

export async function recordDay(services: Reach, date: string): Promise<void> {
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

/** What the project has used in a time, all intervals together; null for what Insights tell of none of them. */
async function minutesIn({ platform }: Reach, range: Range): Promise<Minutes> {
  const { insights } = await platform()
  const metrics = await Array.fromAsync(insights.usage({ ...range, interval: 'DAILY' }))
  const kinds = Object.keys(usageMinutes.shape) as (keyof Minutes)[]
  const sum = (kind: keyof Minutes) => {
    const told = metrics.flatMap(({ usage }) => usage?.[kind] ?? [])
    return told.length > 0 ? told.reduce((total, minutes) => total + minutes, 0) : null
  }
  return Object.fromEntries(kinds.map((kind) => [kind, sum(kind)])) as Minutes
}

/** The meetings of one session; none where the project does not have the add-on after all. */
async function meetingsOf(
  { platform }: Reach,
  { sessionId, range, log }: { sessionId: string; range: Range; log: Warnings },
): Promise<ShowUsage['meetings']> {
  const { insights } = await platform()
  return unlessBasic(log, async () => {
    const meetings = await Array.fromAsync(insights.sessions(range))
    return meetings.filter((meeting) => meeting.sessionId === sessionId)
  })
}

/** Gives null, and warns, where the project does not have the add-on after all. */
async function unlessBasic<Answer>(log: Warnings, ask: () => Promise<Answer>): Promise<Answer | null> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof PlatformRequestError) || error.details.errorCode !== NO_ADD_ON) throw error
    log.warn('The project has no advanced Insights: set platform.insights to basic.')
    return null
  }
}

const NO_ADD_ON = 1014
