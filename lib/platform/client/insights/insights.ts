import { z } from 'zod'
import {
  insightsPage,
  meetingSummary,
  type sdkTypes,
  streamedMinutes,
  usageArguments,
  type usageGroups,
  type usageIntervals,
  usageMetric,
  usageMinutes,
} from '../../contract/insights/insights-answers.ts'
import { eachStream, type QualityRequest, type Side, type StreamQuality } from './insights-quality.ts'
import {
  createQueryRunner,
  eachPage,
  type InsightsOptions,
  PAGE,
  type QueryInsights,
  selectionOf,
} from './insights-queries.ts'

/** A range of time. Each instant is ISO-8601, or seconds (up to ten digits) or milliseconds since the epoch. */
export interface InsightsRange {
  /** 0 is the earliest instant. */
  readonly start: string | number
  /** @default now */
  readonly end?: string | number
}

/** The range, the filters and the groups of a usage query. */
export interface UsageRequest extends InsightsRange {
  /** Length of the intervals. `AUTO` depends on the length of the range. @default 'AUTO' */
  readonly interval?: (typeof usageIntervals)[number]
  readonly sdkType?: readonly (typeof sdkTypes)[number][]
  /** Versions in the format 0.0.0. */
  readonly sdkVersion?: readonly string[]
  readonly country?: readonly string[]
  readonly region?: readonly string[]
  readonly browser?: readonly string[]
  readonly browserVersion?: readonly string[]
  readonly groupBy?: readonly (typeof usageGroups)[number][]
}

export type UsageMetric = z.output<typeof usageMetric>
/** One use of a session, until a pause of ten minutes. */
export type MeetingSummary = z.output<typeof meetingSummary>

/**
 * Typed queries of Insights about the client's project. Each requests further pages as it is iterated.
 *
 * Iteration rejects with a {@link PlatformError}. Its `details.errorCode` is the code of Insights. A missing session is a
 * {@link PlatformNotFoundError}, a missing add-on a {@link PlatformRequestError}.
 */
export interface Insights {
  /**
   * Iterates over usage by interval, which arrives after 36 to 48 h. It has all kinds of minutes. With filters or groups other
   * than the country, it has only streamed minutes.
   * @example
   * ```ts
   * for await (const { intervalStart, usage } of client.insights.usage({ start: '2026-11-01', interval: 'DAILY' }))
   *   report.push([intervalStart, usage?.participantMinutes])
   * ```
   */
  usage(request: UsageRequest, options?: InsightsOptions): AsyncIterable<UsageMetric>
  /** Iterates over summaries of the meetings of all sessions. It needs the advanced add-on. */
  sessions(range: InsightsRange, options?: InsightsOptions): AsyncIterable<MeetingSummary>
  /** Iterates over the streams of sessions with their samples. It needs the advanced add-on. */
  quality<Of extends Side = 'publishers'>(
    request: QualityRequest & { readonly of?: Of },
    options?: InsightsOptions,
  ): AsyncIterable<StreamQuality<Of>>
}

export function createInsights(queryInsights: QueryInsights, apiKey: string | undefined): Insights {
  const runQuery = createQueryRunner(queryInsights, apiKey)
  return {
    async *usage(request, options) {
      const given = Object.entries(usageArguments).filter(([name]) => request[name as keyof UsageRequest] !== undefined)
      const list = `projectData(${given.map(([name]) => `${name}: $${name}`).join(', ')}, endCursor: $after)`
      const fields = selectionOf(
        usageMetric.extend({ usage: hasOnlyStreamedMinutes(request) ? streamedMinutes : usageMinutes }),
      )
      const query = {
        declare: { ...Object.fromEntries(given), after: 'String' },
        fields: `${list} { ${PAGE} resources { ${fields} } }`,
      }
      const shape = z.object({ projectData: insightsPage(usageMetric) })
      yield* eachPage(async (after) => (await runQuery(shape, query, { ...request, after }, options)).projectData)
    },
    async *sessions(range, options) {
      const list = 'sessionSummaries(start: $start, end: $end, endCursor: $after)'
      const query = {
        declare: { start: 'Date!', end: 'Date', after: 'String' },
        fields: `sessionData { ${list} { ${PAGE} resources { ${selectionOf(meetingSummary)} } } }`,
      }
      const shape = z.object({ sessionData: z.object({ sessionSummaries: insightsPage(meetingSummary) }) })
      yield* eachPage(
        async (after) => (await runQuery(shape, query, { ...range, after }, options)).sessionData.sessionSummaries,
      )
    },
    quality: <Of extends Side>(request: QualityRequest, options?: InsightsOptions) =>
      eachStream(runQuery, request, options) as AsyncIterable<StreamQuality<Of>>,
  }
}

/** Returns true if the request filters or groups by a property that only streamed minutes have. */
const hasOnlyStreamedMinutes = ({ sdkType, sdkVersion, region, browser, browserVersion, groupBy = [] }: UsageRequest) =>
  [sdkType, sdkVersion, region, browser, browserVersion].some((given) => given !== undefined) ||
  groupBy.some((name) => name !== 'COUNTRY')
