import { INVOCATION_GIGABYTE_SECONDS, prices } from '../../lib/show/plan/forecast/prices.ts'
import type { Assembly } from '../../local/cloud/assembly.ts'
import { runShows } from '../../local/simulation/scale/run-shows.ts'
import type { ShowsProgress, ShowsReport } from '../../local/simulation/scale/simulate-shows.ts'

export interface ManyShowsOptions {
  readonly assembly: Assembly
  readonly seed: number
  readonly shows: number
  /** Hours within which the shows start. */
  readonly hours: number
  /** Calls in a second that the platform answers. @default no limit */
  readonly callsPerSecond?: number | undefined
  readonly json: boolean
  readonly signal: AbortSignal
}

/** Share of calls that fail: about one of each show’s. */
const FAULT_RATE = 0.001
/** Violations that are printed. */
const MAX_BROKEN = 20

/** Simulates many shows in one world under faults, and prints what they take. */
export async function simulateManyShows({ json, ...options }: ManyShowsOptions): Promise<void> {
  const report = await runShows({ ...options, faultRate: FAULT_RATE, onProgress: printProgress })
  if (!report) return
  const price = priceOf(report)
  process.stdout.write(json ? `${JSON.stringify({ ...report, price }, null, 2)}\n` : summarize(report, price))
  if (report.broken.length > 0) process.exitCode = 1
}

function printProgress({ settled, of, virtualSeconds, calls }: ShowsProgress): void {
  const hours = (virtualSeconds / 3_600).toFixed(1)
  process.stderr.write(`… ${settled} of ${of} shows after ${hours} hours and ${count(calls)} calls\n`)
}

interface Price {
  readonly usd: number
  readonly usdPerShowHour: number
}

/** Returns the price of running the shows by list prices, without publishing, logs and traces. */
function priceOf(report: ShowsReport): Price {
  const { transitions, invocations, s3, apiRequests, events, showHours } = report
  const invocation = prices.invocation + INVOCATION_GIGABYTE_SECONDS * prices.gigabyteSecond
  const usd =
    transitions * prices.transition +
    invocations * invocation +
    s3.reads * prices.read +
    s3.writes * prices.write +
    apiRequests * prices.apiRequest +
    events * prices.event
  return { usd, usdPerShowHour: usd / showHours }
}

const count = (number: number) => Math.round(number).toLocaleString('en')

function summarize(report: ShowsReport, { usd, usdPerShowHour }: Price): string {
  const { shows, showHours, virtualHours, statuses, s3, peak, faults, broken, seconds, seed } = report
  const perHour = (number: number) => `${count(number)}, ${count(number / showHours)} per show-hour`
  const lines = [
    `${count(shows)} shows, ${count(showHours)} show-hours in ${virtualHours.toFixed(1)} hours: ${entries(statuses)}.`,
    `Platform calls: ${perHour(report.platformCalls)}`,
    `Transitions: ${perHour(report.transitions)}`,
    `Invocations: ${perHour(report.invocations)}`,
    `S3 requests: ${perHour(s3.reads + s3.writes)}, of which ${count(s3.writes)} are writes and lists`,
    `Largest history: ${count(report.largestHistory)} events`,
    `Peak: ${count(peak.shows)} shows and ${count(peak.executions)} executions at once, ${count(peak.megabytes)} MB of memory`,
    `Price: $${usd.toFixed(2)}, $${usdPerShowHour.toFixed(4)} per show-hour, without publishing and logs`,
    `Faults: ${entries(faults)}`,
    `It took ${seconds.toFixed(0)} s. The trace of seed ${seed} has the SHA-256 ${report.traceSha256}.`,
    ...broken
      .slice(0, MAX_BROKEN)
      .map(({ showId, invariant, detail }) => `${showId ?? 'The world'} breaks “${invariant}”: ${detail}`),
    broken.length > 0 ? `${count(broken.length)} violations.` : 'Every invariant holds.',
  ]
  return `${lines.join('\n')}\n`
}

const entries = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts)
    .sort(([, one], [, other]) => other - one)
    .map(([name, number]) => `${name} ${count(number)}`)
    .join(', ') || 'none'
