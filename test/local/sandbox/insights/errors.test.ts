import { getIntrospectionQuery } from 'graphql'
import { describe, expect, it } from 'vitest'
import {
  type InsightsErrorCode,
  insightsError,
  insightsErrors,
} from '../../../../lib/platform/contract/insights/insights.ts'
import { AUTH_HEADER } from '../../../../lib/platform/contract/tokens.ts'
import { after, DAY, type Insights, MINUTE, openInsights } from './ask.ts'

const START = `start: "${after(0)}"`
const METRICS = '{ resources { usage { participantMinutes } } }'
const SUMMARIES = '{ totalCount }'

/** Sends a query about the world's own project, or the one given. */
const ask =
  (fields: string, options: { projectId?: string; variables?: Record<string, unknown>; declare?: string } = {}) =>
  async ({ ask, apiKey, wait }: Insights) => {
    await wait(MINUTE)
    const { projectId = apiKey, variables, declare = '' } = options
    return ask(`query${declare && ` (${declare})`} { project(projectId: ${projectId}) { ${fields} } }`, variables)
  }

/** Asks with a token of these claims, or with something else in its place. */
const askWith = (token: (world: Insights) => Promise<string> | string | undefined) => async (world: Insights) => {
  const value = await token(world)
  return world.send('POST', '/insights/graphql', {
    headers: { [AUTH_HEADER]: value ?? '' },
    body: JSON.stringify({ query: '{ __typename }' }),
  })
}

type Way = (world: Insights) => Promise<{ status: number; body: { data?: unknown; errors?: unknown[]; code?: number } }>

async function createOtherProject({ sandbox, sign, send }: Insights): Promise<string> {
  const { accountKey, accountSecret } = sandbox.account
  const token = await sign({ iss: accountKey, ist: 'account' }, accountSecret)
  return (await send('POST', '/v2/project', { headers: { [AUTH_HEADER]: token } })).body.id
}

const SECOND_OF = ({ clock }: Insights) => Math.floor(clock.now() / 1000)

/** At least one way to each code. */
const ways: Readonly<Record<InsightsErrorCode, Readonly<Record<string, Way>>>> = {
  1000: {
    'an unknown key': askWith(({ sign }) => sign({ iss: '100001' })),
    'the account’s key': askWith(({ sign, sandbox: { account } }) =>
      sign({ iss: account.accountKey }, account.accountSecret),
    ),
  },
  1001: {
    'no token': askWith(() => undefined),
    'key and secret': askWith(() => '123456:secret'),
  },
  1002: {
    'an end before the start': ask(`projectData(${START}, end: "${after(-1)}") ${METRICS}`),
    'a start in the future': ask(`sessionData { sessionSummaries(start: "${after(DAY)}") ${SUMMARIES} }`),
  },
  1003: { 'two intervals': ask(`projectData(${START}, interval: [DAILY, WEEKLY]) ${METRICS}`) },
  1004: {
    'minutes that the filter does not go with': async (world) => {
      await (await world.join(await world.createSession())).leave()
      await world.join(await world.createSession())
      await world.wait(2 * DAY)
      return ask(`projectData(${START}, sdkType: JS) ${METRICS}`)(world)
    },
  },
  1005: {
    'an interval that is none': ask(`projectData(${START}, interval: HOURLY) ${METRICS}`),
    'a page of nothing': ask(`projectData(${START}, first: 0) ${METRICS}`),
    'a cursor of nowhere': ask(`projectData(${START}, endCursor: "next") ${METRICS}`),
    'a date that is none': ask(`projectData(start: "yesterday") ${METRICS}`),
    'a variable that is none of its values': ask(`projectData(${START}, interval: [$i]) ${METRICS}`, {
      declare: '$i: Interval!',
      variables: { i: 'HOURLY' },
    }),
  },
  1006: {
    'a word for a number': ask(`projectData(${START}, first: "ten") ${METRICS}`),
    'a fraction': ask(`projectData(${START}, first: 1.5) ${METRICS}`),
    'a variable that is not a number': ask(`projectData(${START}, first: $n) ${METRICS}`, {
      declare: '$n: Int',
      variables: { n: 'ten' },
    }),
  },
  1007: { 'a version of two parts': ask(`projectData(${START}, sdkVersion: ["2.28.1", "2.28"]) ${METRICS}`) },
  1008: {
    'a project that is not a number': ask(`projectData(${START}) ${METRICS}`, { projectId: '"mine"' }),
    'a project below 1': ask(`projectData(${START}) ${METRICS}`, { projectId: '-1' }),
    'no project': ({ ask }) => ask('{ project { sessionData { sessions { totalCount } } } }'),
    'no project in the variables': ask(`projectData(${START}) ${METRICS}`, { projectId: '$p', declare: '$p: Int!' }),
    'a project beyond 32 bits in the variables': ask(`projectData(${START}) ${METRICS}`, {
      projectId: '$p',
      declare: '$p: Int!',
      variables: { p: 2 ** 31 },
    }),
  },
  1009: { 'an argument that does not exist': ask(`projectData(${START}, colour: "red") ${METRICS}`) },
  1010: {
    'two projects': ({ ask, apiKey }) =>
      ask(`{ one: project(projectId: ${apiKey}) { __typename } two: project(projectId: 1) { __typename } }`),
  },
  1011: {
    'a malformed token': askWith(() => 'open sesame'),
    'a token of the account’s kind': askWith(({ sign }) => sign({ ist: 'account' })),
    'a token without an end': askWith(({ sign }) => sign({ exp: undefined })),
  },
  1012: {
    'records that cannot be read': async (world) => {
      await world.sandbox.close()
      return ask(`projectData(${START}) ${METRICS}`)(world)
    },
  },
  1013: {
    'usage without a start': ask(`projectData ${METRICS}`),
    'summaries without a start': ask(`sessionData { sessionSummaries ${SUMMARIES} }`),
    'a start that no variable gives': ask(`projectData(start: $s) ${METRICS}`, { declare: '$s: Date!' }),
  },
  1014: {
    'sessions without the add-on': async () => {
      const world = openInsights({ advancedInsights: false })
      return ask(`sessionData { sessions(sessionIds: "${await world.createSession()}") ${SUMMARIES} }`)(world)
    },
  },
  1015: { 'an unknown project': ask(`projectData(${START}) ${METRICS}`, { projectId: '12' }) },
  1016: {
    'a session of long ago': async (world) => {
      const sessionId = await world.createSession()
      await (await world.join(sessionId)).leave()
      await world.wait(22 * DAY)
      return ask(`sessionData { sessions(sessionIds: "${sessionId}") ${SUMMARIES} }`)(world)
    },
    'an old session without clients': async (world) => {
      const sessionId = await world.createSession()
      await world.wait(22 * DAY)
      return ask(`sessionData { sessions(sessionIds: "${sessionId}") ${SUMMARIES} }`)(world)
    },
  },
  1017: {
    'a session that does not exist': ask(`sessionData { sessions(sessionIds: "none") ${SUMMARIES} }`),
    'a session younger than 5 min': async (world) =>
      ask(`sessionData { sessions(sessionIds: "${await world.createSession()}") ${SUMMARIES} }`)(world),
  },
  1018: {
    'sessions without ids': ask(`sessionData { sessions ${SUMMARIES} }`),
    'sessions with no ids': ask(`sessionData { sessions(sessionIds: []) ${SUMMARIES} }`),
  },
  1019: { 'a token of another secret': askWith(({ sign }) => sign({}, 'another secret that is long enough')) },
  1020: {
    'a token that has expired': askWith((world) =>
      world.sign({ iat: SECOND_OF(world) - 200, exp: SECOND_OF(world) - 20 }),
    ),
    'a token of the future': askWith((world) => world.sign({ iat: SECOND_OF(world) + 60 })),
  },
  1021: {
    'a project of another account': async (world) =>
      ask(`projectData(${START}) ${METRICS}`, { projectId: await createOtherProject(world) })(world),
  },
  1022: {
    'a field that does not exist': ask('colour'),
    'a value of another type': ask(`projectData(${START}, country: 49) ${METRICS}`),
    'a date that is true': ask(`projectData(start: true) ${METRICS}`),
    'an invalid query': ({ ask }) => ask('{ project('),
    'a change': ({ ask }) => ask('mutation { project(projectId: 1) { __typename } }'),
  },
}

const all = Object.entries(ways).flatMap(([code, named]) =>
  Object.entries(named).map(([name, way]) => ({ code: Number(code) as InsightsErrorCode, name, way })),
)

describe('Insights', () => {
  it.each(all)('answer $code to $name', async ({ code, way }) => {
    const { status, body } = await way(openInsights())
    const { meaning, status: expected } = insightsErrors[code]
    expect(status).toBe(expected)
    expect(body.errors?.length).toBeGreaterThan(0)
    for (const error of body.errors ?? []) {
      const { message, locations, path, errorCode } = insightsError.required().parse(error)
      expect(errorCode).toBe(code)
      expect(message.startsWith(meaning)).toBe(true)
      expect(Array.isArray(locations) && (path === null || Array.isArray(path))).toBe(true)
    }
    expect(body.code).toBe(status === 200 ? undefined : status)
  })

  it('report the place of a problem in the query', async () => {
    const { ask, apiKey } = openInsights()
    const query = `{\n  mine: project(projectId: ${apiKey}) {\n    projectData(start: 0, first: "ten") { totalCount }\n  }\n}`
    expect((await ask(query)).body).toEqual({
      errors: [
        {
          message: 'Value must be an integer: Int cannot represent non-integer value: "ten".',
          locations: [{ line: 3, column: 34 }],
          path: ['mine', 'projectData'],
          errorCode: 1006,
        },
      ],
    })
    const { body } = await ask(query.replace('"ten"', '0'))
    expect(body).toEqual({
      data: { mine: { projectData: null } },
      errors: [
        {
          message: 'Invalid parameter: first must be at least 1.',
          locations: [{ line: 3, column: 5 }],
          path: ['mine', 'projectData'],
          errorCode: 1005,
        },
      ],
    })
  })

  it('answer valid fields beside failing ones', async () => {
    const { ask, apiKey } = openInsights()
    const { body } = await ask(
      `{ project(projectId: ${apiKey}) { projectData(start: 0) { totalCount } sessionData { sessions { totalCount } } } }`,
    )
    expect(body.data.project).toEqual({ projectData: { totalCount: 0 }, sessionData: { sessions: null } })
    expect(body.errors).toMatchObject([{ errorCode: 1018, path: ['project', 'sessionData', 'sessions'] }])
  })

  it('do not report the cause of an internal failure', async () => {
    const { body } = (await ways[1012]['records that cannot be read']?.(openInsights())) ?? { body: { errors: [] } }
    expect(body.errors).toEqual([{ message: 'Internal server error.', locations: [], path: null, errorCode: 1012 }])
  })

  it('accept variables, and the name of one query among several', async () => {
    const { call, apiKey } = openInsights()
    const query = `query A($p: Int!, $s: Date!) { project(projectId: $p) { projectData(start: $s) { totalCount } } } query B { __typename }`
    const variables = { p: Number(apiKey), s: after(-DAY) }
    const { body } = await call('queryInsights', { query, variables, operationName: 'A' })
    expect(body).toEqual({ data: { project: { projectData: { totalCount: 0 } } } })
    expect((await call('queryInsights', { query, variables: null, operationName: 'B' })).body).toEqual({
      data: { __typename: 'Query' },
    })
  })

  it('accept a token whose iss is a number', async () => {
    const world = openInsights()
    const answer = await askWith(({ sign, apiKey }) => sign({ iss: Number(apiKey) }))(world)
    expect(answer).toMatchObject({ status: 200, body: { data: { __typename: 'Query' } } })
  })

  it('show their schema to tools', async () => {
    const { body } = await openInsights().ask(getIntrospectionQuery())
    expect(body.errors).toBeUndefined()
    expect(body.data.__schema.queryType.name).toBe('Query')
  })

  it('refuse a body that is not JSON or not a query, like every operation', async () => {
    const { send } = openInsights()
    for (const body of ['{', '{}', '{"query":5}'])
      expect(await send('POST', '/insights/graphql', { body })).toMatchObject({ status: 400, body: { code: 400 } })
  })
})
