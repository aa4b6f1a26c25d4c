import { expect } from 'vitest'
import { handler } from '../../../lambdas/api/api.ts'
import { handler as joinHandler } from '../../../lambdas/join/join.ts'
import { problem } from '../../../lib/api/answers.ts'
import { apiRoutes, problemsOf, type RouteDefinition, type RouteKey } from '../../../lib/api/api.ts'
import { joinRoutes } from '../../../lib/api/invitations.ts'
import { problemTitle, problemUri } from '../../../lib/api/problem-names.ts'
import { problemTypes } from '../../../lib/api/problem-types.ts'
import { retryAfterOf } from '../../../lib/api/retry-after.ts'
import type { Services } from '../../../lib/services.ts'
import { maxSecondsOf } from '../../../lib/show/document/duration.ts'
import { tagOf } from '../../../lib/show/document/fields/names.ts'
import type { ShowDocument } from '../../../lib/show/document/show.ts'
import type { ShowState } from '../../../lib/show/state/state.ts'
import { invoke, type World, webinar } from '../../support/world.ts'

export interface Call {
  readonly body?: unknown
  /** The Idempotency-Key. */
  readonly key?: string
  readonly headers?: Record<string, string>
  /** `$default` for a request that API Gateway matches with no route. */
  readonly routeKey?: string
  readonly query?: Record<string, string>
  readonly sub?: string
  /** Of the caller's token. @default the least role that the route takes */
  readonly role?: string
  readonly isBase64Encoded?: boolean
  /** Of the caller's token, beside subject and role. */
  readonly claims?: Record<string, string | undefined>
}

/** Calls the function as API Gateway does with payload format 2.0. */
export async function call(
  { services }: { readonly services: Services },
  route: string,
  { body, key, headers = {}, routeKey, query, sub = 'app', role, isBase64Encoded = false, claims = {} }: Call = {},
) {
  const [method = '', path = ''] = route.split(' ')
  const routed = find(method, path)
  const { role: needed = 'viewer' } = routed ? apiRoutes[routed.key] : {}
  const event = {
    version: '2.0',
    ...(routeKey !== undefined && { routeKey }),
    rawPath: path,
    headers: { ...headers, ...(key !== undefined && { 'idempotency-key': key }) },
    ...(query && { queryStringParameters: query }),
    ...(routed?.parameters && { pathParameters: routed.parameters }),
    requestContext: {
      domainName: 'api.example.com',
      http: { method, path },
      authorizer: { jwt: { claims: { sub, scope: role ?? `showrunner/${needed}`, ...claims }, scopes: null } },
    },
    body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
    isBase64Encoded,
  }
  const serving = routed && routed.key in joinRoutes ? joinHandler : handler
  const response = (await invoke(serving, services, event)) as {
    statusCode: number
    headers: Record<string, string>
    body: string
  }
  if (response.statusCode === 304) return { status: 304, headers: response.headers, body: undefined }
  if (routed && routeKey === undefined) holdToContract(routed.key, response)
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into by many tests, each for something else
  return { status: response.statusCode, headers: response.headers, body: JSON.parse(response.body) as any }
}

/** The route that API Gateway would find. */
function find(method: string, path: string) {
  for (const key of Object.keys(apiRoutes) as RouteKey[]) {
    const [ofRoute, template = ''] = key.split(' ')
    const pattern = new RegExp(`^${template.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)
    const match = ofRoute === method ? pattern.exec(path) : null
    if (!match) continue
    const given = Object.entries(match.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)])
    return { key, parameters: given.length > 0 ? (Object.fromEntries(given) as Record<string, string>) : undefined }
  }
  return undefined
}

/** Checks that an answer or a problem is one of the route's, and has no other fields. */
function holdToContract(
  key: RouteKey,
  { statusCode, headers, body: text }: { statusCode: number; headers: Record<string, string>; body: string },
) {
  const { answers }: RouteDefinition = apiRoutes[key]
  const body = JSON.parse(text)
  const schema = answers[statusCode] ?? problem
  expect(schema.parse(body), `the answer of ${key}`).toEqual(body)
  if (schema !== problem) return
  const type = problemsOf(key).find((one) => problemUri(one) === body.type)
  expect(type, `${body.type} is a problem of ${key}`).toBeDefined()
  if (!type) return
  expect(body).toMatchObject({ status: problemTypes[type].status, title: problemTitle(type), code: type })
  if (retryAfterOf(type)) expect(headers['retry-after'], `Retry-After of ${type}`).toMatch(/^\d+$/)
}

/** The state of the show, which is there. */
export const stateOf = async ({ services }: World, showId = 'a-show') =>
  (await services.records.readState(showId)) as ShowState

/** Executions of the show machine. */
export const executionsOf = ({ states }: World) =>
  states.listExecutions({ stateMachineArn: 'arn:aws:states:us-east-1:000000000000:stateMachine:show' })

/** A show that is live by the platform's own calls, as its machine would have brought it there. */
export async function bringLive(world: World, document: ShowDocument = webinar, showId = 'a-show') {
  const { show } = await world.accept(document, showId)
  const sessionId = await world.platform.createSession()
  const guest = await world.platform.join(sessionId, { publish: true })
  const archives = new Map<string, string>()
  for (const { name, outputMode, streamMode } of show.recordings) {
    const tag = tagOf(showId, name)
    const order = { sessionId, name: tag, multiArchiveTag: tag, outputMode, streamMode }
    archives.set(name, (await world.platform.call('startArchive', order)).body.id)
  }
  const broadcasts = new Map<string, string>()
  for (const { name, streamMode, maxDuration = 3_600 } of show.broadcasts) {
    const order = { sessionId, multiBroadcastTag: tagOf(showId, name), outputs: { hls: {} }, streamMode, maxDuration }
    broadcasts.set(name, (await world.platform.call('startBroadcast', order)).body.id)
  }
  const liveAt = world.now()
  const started = { createdAt: liveAt, status: 'started' as const }
  await world.services.records.updateState(showId, (state) => ({
    ...state,
    ...{ status: 'live', sessionId, startedAt: liveAt, liveAt },
    plannedEndAt: new Date(Date.parse(liveAt) + maxSecondsOf(show) * 1000).toISOString(),
    recordings: state.recordings.map((one) => ({ ...one, ...started, archiveId: archives.get(one.name) })),
    broadcasts: state.broadcasts.map((one) => ({ ...one, ...started, broadcastId: broadcasts.get(one.name) })),
  }))
  return { showId, sessionId, guest, archives, broadcasts }
}

/** A show whose session is open and whose audience has not come. */
export async function bringWaiting(world: World, document: ShowDocument = webinar, showId = 'a-show') {
  await world.accept(document, showId)
  const sessionId = await world.platform.createSession()
  await world.services.records.updateState(showId, (state) => ({ ...state, status: 'waiting', sessionId }))
  return { showId, sessionId }
}
