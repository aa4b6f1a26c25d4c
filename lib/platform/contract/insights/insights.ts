import { z } from 'zod'
import { commonErrors } from '../errors.ts'
import { limits, quantity } from '../limits.ts'
import type { Operation } from '../operation.ts'

interface InsightsRefusal {
  readonly meaning: string
  /** Status of the answer that carries it. A query that can be parsed is answered 200 even if it fails. */
  readonly status: 200 | 403 | 500
}

const refusal = (meaning: string, status: InsightsRefusal['status'] = 200): InsightsRefusal => ({ meaning, status })

/** Every `errorCode` (docs/platform/insights.md#errors), with its meaning and the status of its answer. */
export const insightsErrors = {
  1000: refusal('Invalid API key', 403),
  1001: refusal('No valid authentication provided', 403),
  1002: refusal('Invalid date range'),
  1003: refusal('Only one date interval allowed'),
  1004: refusal('Invalid parameters'),
  1005: refusal('Invalid parameter'),
  1006: refusal('Value must be an integer'),
  1007: refusal('Invalid SDK version format (0.0.0 required)'),
  1008: refusal('A valid project ID is required'),
  1009: refusal('Invalid parameter'),
  1010: refusal('Parameter accepts only one value'),
  1011: refusal('Invalid token', 403),
  1012: refusal('Internal server error', 500),
  1013: refusal('Mandatory parameter missing'),
  1014: refusal('Query requires the advanced add-on'),
  1015: refusal('Project ID not found'),
  1016: refusal('Session has expired'),
  1017: refusal('Session not found'),
  1018: refusal('At least one session ID required'),
  1019: refusal('Token does not match the API key', 403),
  1020: refusal('Unable to validate the token', 403),
  1021: refusal('Not authorized to view this project'),
  1022: refusal('Type error'),
} as const satisfies Record<number, InsightsRefusal>

export type InsightsErrorCode = keyof typeof insightsErrors

/** One entry of `errors` in an answer. Answers of status 403 and 500 have them beside `code` and `message`. */
export const insightsError = z
  .looseObject({
    message: z.string(),
    locations: z.array(z.looseObject({ line: z.int(), column: z.int() })).optional(),
    path: z.array(z.union([z.string(), z.int()])).nullish(),
    errorCode: z.int().optional(),
  })
  .meta({ id: 'InsightsError', description: 'The reason why data is missing from an answer.' })

const insightsAnswer = z
  .looseObject({
    /** The fields of the query and no others. */
    data: z.looseObject({}).nullish(),
    errors: z.array(insightsError).optional(),
  })
  .meta({ id: 'InsightsAnswer', description: 'The result of a query.' })

export type InsightsAnswer = z.infer<typeof insightsAnswer>

/** An instant in arguments, in ms since the epoch: ISO-8601, or an integer from 0, in seconds if it has up to ten digits. */
export const insightsInstant = z
  .union([z.iso.datetime({ offset: true }), z.iso.date(), z.int().min(0)])
  .transform((given) => {
    if (typeof given === 'string') return Date.parse(given)
    return String(given).length <= limits.secondsDigits.value ? given * 1000 : given
  })

/** The format of an SDK version in filters. Any other is answered with the error 1007. */
export const sdkVersion = z.string().regex(/^\d+\.\d+\.\d+$/, 'must have the form 0.0.0')

export const insightsOperations = {
  queryInsights: {
    id: 'E36',
    summary:
      'Queries a project’s usage, sessions and quality with GraphQL. The schema is lib/platform/contract/insights/insights-schema.ts.',
    limits: [
      `Usage is kept for ${quantity(limits.usageRetention)} and arrives after ${limits.usageLatencyMin.value} to ${quantity(limits.usageLatencyMax)}.`,
      `Sessions and quality are kept for ${quantity(limits.qualityRetention)} and arrive after ${quantity(limits.qualityLatency)}.`,
    ],
    method: 'POST',
    path: '/graphql',
    base: 'insights',
    body: z.object({
      query: z.string().min(1),
      variables: z.record(z.string(), z.unknown()).nullish(),
      operationName: z.string().nullish().describe('Operation to run if the query has several.'),
    }),
    repeatable: true,
    success: { status: 200, response: insightsAnswer },
    errors: { ...commonErrors, 400: 'Invalid JSON, or no query.' },
    example: {
      request: {
        query: `query Usage($project: Int!, $start: Date) {
  project(projectId: $project) {
    projectData(start: $start, interval: DAILY, sdkType: [JS], groupBy: [SDK_TYPE]) {
      resources { sdkType intervalStart intervalEnd usage { streamedPublishedMinutes streamedSubscribedMinutes } }
    }
  }
}`,
        variables: { project: 100001, start: '2026-11-20T00:00:00Z' },
      },
      response: {
        data: {
          project: {
            projectData: {
              resources: [
                {
                  sdkType: 'JS',
                  intervalStart: '2026-11-20T00:00:00.000Z',
                  intervalEnd: '2026-11-21T00:00:00.000Z',
                  usage: { streamedPublishedMinutes: 90.5, streamedSubscribedMinutes: 412 },
                },
              ],
            },
          },
        },
      },
    },
  },
} as const satisfies Record<string, Operation>
