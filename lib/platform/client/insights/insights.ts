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
  createAsk,
  eachPage,
  type InsightsOptions,
  PAGE,
  type QueryInsights,
  selectionOf,
} from './insights-questions.ts'

export interface InsightsRange {
  /** ISO-8601, or seconds (up to ten digits) or milliseconds since the epoch; 0 is the earliest there is. */
  readonly start: string | number
  /** As `start`; now, unless told. */
  readonly end?: string | number
}

export interface UsageRequest extends InsightsRange {
  /** `AUTO`, which goes by the length of the range, unless told. */
  readonly interval?: (typeof usageIntervals)[number]
  readonly sdkType?: readonly (typeof sdkTypes)[number][]
  /** As 0.0.0. */
  readonly sdkVersion?: readonly string[]
  readonly country?: readonly string[]
  readonly region?: readonly string[]
  readonly browser?: readonly string[]
  readonly browserVersion?: readonly string[]
  readonly groupBy?: readonly (typeof usageGroups)[number][]
}

export type UsageMetric = z.output<typeof usageMetric>
export type MeetingSummary = z.output<typeof meetingSummary>

/** Typed questions to Insights about the client's own project; each asks for further pages as it is iterated. */
export interface Insights {
  /** Usage by interval, seen 36 to 48 h later; all kinds of minutes, or the streamed ones where only these can be told. */
  usage(request: UsageRequest, options?: InsightsOptions): AsyncIterable<UsageMetric>
  /** Summaries of the meetings of all sessions. Needs the advanced add-on. */
  sessions(range: InsightsRange, options?: InsightsOptions): AsyncIterable<MeetingSummary>
  /** The streams of some sessions with their samples, one request for each or more. Needs the advanced add-on. */
  quality<Of extends Side = 'publishers'>(
    request: QualityRequest & { readonly of?: Of },
    options?: InsightsOptions,
  ): AsyncIterable<StreamQuality<Of>>
}

/**
 * Makes the typed questions out of the raw one.
 *
 * What iterating them rejects with is a PlatformError whose `details.errorCode` is the code of Insights, where there
 * is one: a missing session is a PlatformNotFoundError, a missing add-on a PlatformRequestError.
 */
export function createInsights(queryInsights: QueryInsights, apiKey: string | undefined): Insights {
  const ask = createAsk(queryInsights, apiKey)
  return {
    async *usage(request, options) {
      const given = Object.entries(usageArguments).filter(([name]) => request[name as keyof UsageRequest] !== undefined)
      const list = `projectData(${given.map(([name]) => `${name}: $${name}`).join(', ')}, endCursor: $after)`
      const fields = selectionOf(usageMetric.extend({ usage: isNarrow(request) ? streamedMinutes : usageMinutes }))
      const question = {
        declare: { ...Object.fromEntries(given), after: 'String' },
        fields: `${list} { ${PAGE} resources { ${fields} } }`,
      }
      const found = z.object({ projectData: insightsPage(usageMetric) })
      yield* eachPage(async (after) => (await ask(found, question, { ...request, after }, options)).projectData)
    },
    async *sessions(range, options) {
      const list = 'sessionSummaries(start: $start, end: $end, endCursor: $after)'
      const question = {
        declare: { start: 'Date!', end: 'Date', after: 'String' },
        fields: `sessionData { ${list} { ${PAGE} resources { ${selectionOf(meetingSummary)} } } }`,
      }
      const found = z.object({ sessionData: z.object({ sessionSummaries: insightsPage(meetingSummary) }) })
      yield* eachPage(
        async (after) => (await ask(found, question, { ...range, after }, options)).sessionData.sessionSummaries,
      )
    },
    quality: <Of extends Side>(request: QualityRequest, options?: InsightsOptions) =>
      eachStream(ask, request, options) as AsyncIterable<StreamQuality<Of>>,
  }
}

/** Whether it asks by what not all minutes can be told by. */
const isNarrow = ({ sdkType, sdkVersion, region, browser, browserVersion, groupBy = [] }: UsageRequest) =>
  [sdkType, sdkVersion, region, browser, browserVersion].some((given) => given !== undefined) ||
  groupBy.some((name) => name !== 'COUNTRY')
