import { type Answer, openSandbox, START, type WorldOptions } from '../open-sandbox.ts'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** Opens a sandbox with functions that query its Insights. */
export function openInsights(options: WorldOptions = {}) {
  const world = openSandbox(options)
  const { call, apiKey, clock } = world
  const ask = (query: string, variables?: Record<string, unknown>): Promise<Answer> =>
    call('queryInsights', { query, ...(variables && { variables }) })
  /** Asks about the world's own project and gives what is found there. @throws when there are errors */
  async function find(fields: string) {
    const { body } = await ask(`{ project(projectId: ${apiKey}) { ${fields} } }`)
    if (body.errors) throw new Error(JSON.stringify(body.errors))
    return body.data.project
  }
  /** The codes of the errors that asking about the world's own project gets. */
  async function codesOf(fields: string): Promise<number[]> {
    const { body } = await ask(`{ project(projectId: ${apiKey}) { ${fields} } }`)
    return (body.errors ?? []).map((error: { errorCode: number }) => error.errorCode)
  }
  const wait = (ms: number) => clock.advance(ms)
  return { ...world, ask, find, codesOf, wait }
}

export type Insights = ReturnType<typeof openInsights>

/** Returns a time after the start of the world, in ISO-8601. */
export const after = (ms: number) => new Date(START + ms).toISOString()

/**
 * Plays the scenario from which the numbers of several tests are computed by hand. Minutes from the start (09:00 UTC):
 *
 * | | Ada | Bob | Cleo |
 * |---|---|---|---|
 * | connected | 0-30, 50-60 | 5-20 | 10-30 |
 * | published | 0-30 (audio and video) | 5-20 (audio) | – |
 *
 * The archive (640x480) runs from 10 to 25. No client is connected from 30 to 50: two meetings.
 */
export async function playScenario({ createSession, join, call, wait }: Insights) {
  const sessionId = await createSession()
  const ada = await join(sessionId, { name: 'Ada', client: { sdkVersion: '2.28.1', country: 'DE', browser: 'Chrome' } })
  await wait(5 * MINUTE)
  const bob = await join(sessionId, { name: 'Bob', video: false, client: { sdkType: 'IOS', country: 'US' } })
  await wait(5 * MINUTE)
  const cleo = await join(sessionId, { name: 'Cleo', publish: false, client: { country: 'DE', browser: 'Firefox' } })
  const { id: archiveId } = (await call('startArchive', { sessionId })).body
  await wait(10 * MINUTE)
  await bob.leave()
  await wait(5 * MINUTE)
  await call('stopArchive', { archiveId })
  await wait(5 * MINUTE)
  await ada.leave()
  await cleo.leave()
  await wait(20 * MINUTE)
  const back = await join(sessionId, {
    name: 'Ada again',
    publish: false,
    client: { country: 'DE', browser: 'Chrome' },
  })
  await wait(10 * MINUTE)
  await back.leave()
  return { sessionId, ada, bob, cleo, back }
}

/** Plays the scenario, and returns the readers of its session a quarter of an hour later. */
export async function openScenario() {
  const world = openInsights()
  const scenario = await playScenario(world)
  await world.wait(15 * MINUTE)
  const session = async (fields: string) =>
    (await world.find(`sessionData { sessions(sessionIds: "${scenario.sessionId}") { resources { ${fields} } } }`))
      .sessionData.sessions.resources[0]
  const meetings = async (fields: string) => (await session(`meetings { resources { ${fields} } }`)).meetings.resources
  return { ...world, ...scenario, session, meetings }
}
