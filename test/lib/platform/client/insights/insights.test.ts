import { buildSchema, GraphQLScalarType, parse, validate } from 'graphql'
import { describe, expect, it } from 'vitest'
import type { PlatformError } from '../../../../../lib/platform/client/errors.ts'
import { createInsights, type Insights } from '../../../../../lib/platform/client/insights/insights.ts'
import { type InsightsAnswer, insightsErrors } from '../../../../../lib/platform/contract/insights/insights.ts'
import { insightsSchema } from '../../../../../lib/platform/contract/insights/insights-schema.ts'

const schema = buildSchema(insightsSchema)

interface Asked {
  readonly query: string
  readonly variables: Record<string, unknown>
}

/** Creates Insights with the given answers, of which the last repeats. Every query must fit the schema. */
function openInsights(...answers: InsightsAnswer[]) {
  const asked: Asked[] = []
  const insights = createInsights(async (request) => {
    asked.push(request)
    expect(validate(schema, parse(request.query))).toEqual([])
    return answers[Math.min(asked.length, answers.length) - 1] ?? {}
  }, '100001')
  return { insights, asked }
}

const projectData = (resources: unknown[], endCursor?: string | null) => ({
  data: {
    project: {
      projectData: { pageInfo: { hasNextPage: endCursor !== undefined, endCursor: endCursor ?? null }, resources },
    },
  },
})

const metric = (intervalStart: string) => ({
  intervalStart,
  intervalEnd: intervalStart,
  sdkType: null,
  sdkVersion: null,
  country: null,
  region: null,
  browser: null,
  browserVersion: null,
  usage: { participantMinutes: 1 },
})

const failureOf = (iterable: AsyncIterable<unknown>) =>
  Array.fromAsync(iterable).then(
    () => Promise.reject(new Error('The iteration succeeded, but should have failed.')),
    (error: PlatformError) => error,
  )

const everyQuestion: readonly [string, (insights: Insights) => AsyncIterable<unknown>][] = [
  ['usage', ({ usage }) => usage({ start: 0 })],
  ['sessions', ({ sessions }) => sessions({ start: 0 })],
  ['quality', ({ quality }) => quality({ sessionIds: ['one'], of: 'subscribers' })],
]

describe('createInsights', () => {
  it('queries the client’s project and passes arguments only as variables', async () => {
    const { insights, asked } = openInsights(projectData([]))
    const request = { start: '"}) {', end: 5, interval: 'WEEKLY', country: ['DE'], groupBy: ['COUNTRY'] } as const
    expect(await Array.fromAsync(insights.usage(request))).toEqual([])
    expect(asked[0]?.variables).toEqual({ project: 100001, ...request, after: null })
    expect(asked[0]?.query).not.toContain('"}')
  })

  it('queries all minutes, except with filters or groups that only streamed minutes have', async () => {
    const asksForParticipants = async (request: object) => {
      const { insights, asked } = openInsights(projectData([]))
      await Array.fromAsync(insights.usage({ start: 0, ...request }))
      return asked[0]?.query.includes('participantMinutes')
    }
    expect(await asksForParticipants({})).toBe(true)
    expect(await asksForParticipants({ country: ['DE'], groupBy: ['COUNTRY'] })).toBe(true)
    for (const narrow of [{ sdkType: ['JS'] }, { browser: ['Chrome'] }, { groupBy: ['COUNTRY', 'REGION'] }])
      expect(await asksForParticipants(narrow)).toBe(false)
  })

  it('requests the next page after the last item', async () => {
    const { insights, asked } = openInsights(
      projectData([metric('a'), metric('b')], 'next'),
      projectData([metric('c')]),
    )
    const seen: string[] = []
    for await (const { intervalStart } of insights.usage({ start: 0 })) seen.push(`${intervalStart}${asked.length}`)
    expect(seen).toEqual(['a1', 'b1', 'c2'])
    expect(asked.map(({ variables }) => variables.after)).toEqual([null, 'next'])
  })

  it.each([[null], ['same']])('does not loop if the next page has the cursor %s', async (cursor) => {
    const { insights, asked } = openInsights(projectData([], cursor))
    expect((await failureOf(insights.usage({ start: 0 }))).name).toBe('PlatformResponseError')
    expect(asked.length).toBeLessThanOrEqual(2)
  })

  it.each(everyQuestion)('rejects an answer of another shape to %s', async (_, ask) => {
    for (const answer of [
      {},
      { data: null },
      { data: { project: { projectData: {}, sessionData: { sessions: 5 } } } },
    ]) {
      const { insights } = openInsights(answer)
      const error = await failureOf(ask(insights))
      expect(error).toMatchObject({ name: 'PlatformResponseError', details: { operation: 'queryInsights' } })
      expect(error.message).toContain('another shape')
    }
  })

  it.each([
    [1002, 'PlatformRequestError'],
    [1012, 'PlatformUnavailableError'],
    [1014, 'PlatformRequestError'],
    [1015, 'PlatformNotFoundError'],
    [1016, 'PlatformNotFoundError'],
    [1017, 'PlatformNotFoundError'],
    [1019, 'PlatformAuthError'],
    [1021, 'PlatformAuthError'],
    [undefined, 'PlatformRequestError'],
    [4711, 'PlatformRequestError'],
  ] as const)('rejects an error %s with a %s', async (errorCode, name) => {
    const message =
      errorCode === undefined || errorCode === 4711 ? 'Something else.' : insightsErrors[errorCode].meaning
    for (const [, ask] of everyQuestion) {
      const { insights } = openInsights({ data: null, errors: [{ message, ...(errorCode && { errorCode }) }] })
      const error = await failureOf(ask(insights))
      expect(error).toMatchObject({ name, status: 200, details: { message } })
      expect(error.details.errorCode).toBe(errorCode)
      expect(error.message).toContain(message.replace(/\.$/, ''))
    }
  })

  it('removes tokens from the platform’s message', async () => {
    const token = 'eyJhbGciOiJIUzI1NiJ9.eyJpc3MiOiIxIn0.c2lnbmF0dXJl'
    const { insights } = openInsights({ errors: [{ message: `Unable to validate ${token}.`, errorCode: 1020 }] })
    const error = await failureOf(insights.usage({ start: 0 }))
    expect(error.details.message).toBe('Unable to validate [redacted].')
    expect(error.message).not.toContain(token)
  })
})

describe('the schema of Insights', () => {
  it('has the scalar of the client’s variables', () => {
    expect(schema.getType('Date')).toBeInstanceOf(GraphQLScalarType)
  })
})
