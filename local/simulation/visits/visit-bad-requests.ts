import type { Random } from '../scheduling/random.ts'
import type { World } from '../world.ts'
import type { Roles } from './visit-shows.ts'
import { type Asked, jsonOf, type Visit, type Visitor } from './visitor.ts'

interface BadRequest extends Asked {
  readonly method: 'get' | 'post'
  readonly address: string
}

const UNKNOWN = '0'.repeat(40)
const STOP = `/shows/${UNKNOWN}/stop`
/** Bytes of a body, except of a show. */
const MAX_BYTES = 65_536
const JSON_TYPE = 'application/json'
/** Requests that are visited in one world. */
const COUNT = 9

/** Requests that no function can use (docs/problems.md), and some beside them that it can. */
function badRequests({ viewer, operator }: Roles): BadRequest[] {
  const stop = (more: Asked) => ({ method: 'post' as const, address: STOP, as: operator, ...more })
  const show = (more: Asked) => ({ method: 'post' as const, address: '/shows', as: operator, ...more })
  const isFound = { expects: 404, says: 'unknown-show' }
  const padded = (bytes: number) => '{}'.padEnd(bytes, ' ')
  const tooLong = { expects: 413, says: 'body-too-large' }
  const otherType = { expects: 415, says: 'unsupported-media-type', has: { accept: JSON_TYPE } }
  const invalid = { expects: 400, says: 'invalid-body' }
  const wrongToken = { expects: 403, says: 'wrong-token' }
  const list = (claims: Asked['claims']) => ({ method: 'get' as const, address: '/shows?limit=1', as: viewer, claims })
  return [
    stop({ text: padded(MAX_BYTES), type: JSON_TYPE, ...isFound }),
    stop({ text: padded(MAX_BYTES + 1), type: JSON_TYPE, ...tooLong }),
    show({ text: padded(2 ** 22), type: JSON_TYPE, ...tooLong }),
    stop({ text: '{', type: JSON_TYPE, expects: 400, says: 'malformed-json' }),
    show({ text: 'none', type: JSON_TYPE, expects: 400, says: 'malformed-json' }),
    show({ type: JSON_TYPE, expects: 400, says: 'missing-body' }),
    stop({ text: '{}', type: 'text/plain', ...otherType }),
    stop({ text: '{}', type: 'application/octet-stream', ...otherType }),
    show({ text: '{}', type: 'application/x-www-form-urlencoded', ...otherType }),
    stop({ text: '{}', type: 'application/vnd.example+json', ...isFound }),
    stop({ text: '{}', type: 'Application/JSON; charset=utf-8', ...isFound }),
    stop({ text: '{}', ...isFound }),
    stop({ text: '[]', type: JSON_TYPE, ...invalid }),
    stop({ text: '{"other":1}', type: JSON_TYPE, ...invalid }),
    stop({ text: '{"__proto__":1}', type: JSON_TYPE, ...invalid }),
    stop({ body: {}, key: 'x'.repeat(255), ...isFound }),
    stop({ body: {}, key: 'x'.repeat(256), expects: 400, says: 'invalid-idempotency-key' }),
    { method: 'post', address: '/shows/Other_Id/stop', as: operator, body: {}, ...isFound },
    { method: 'get', address: '/shows/Other_Id', as: viewer, ...isFound },
    { method: 'get', address: '/recordings/other_id', as: viewer, expects: 404, says: 'unknown-recording' },
    { method: 'post', address: '/usage', as: viewer, expects: 405, says: 'method-not-allowed', has: { allow: 'GET' } },
    { method: 'get', address: '/other/path', as: viewer, expects: 404, says: 'unknown-route' },
    { ...list({ token_use: 'id' }), ...wrongToken },
    { ...list({ token_use: 'access' }), expects: 200 },
    { ...list({ typ: 'ID' }), ...wrongToken },
    { ...list({ sub: '' }), ...wrongToken },
    { ...list({ sub: 'x'.repeat(256) }), ...wrongToken },
    { ...list({ sub: 'x'.repeat(255) }), expects: 200 },
  ]
}

/** Visits some requests that are refused, and the executions and deliveries of a show with wrong and right names. */
export async function visitBadRequests(
  { visitor, guests }: Pick<World, 'visitor' | 'guests'>,
  roles: Roles,
  random: Random,
): Promise<void> {
  const guest = guests.visitor
  const all = badRequests(roles)
  const first = random.below(all.length)
  for (let index = 0; index < COUNT; index++) {
    const { method, address, ...asked } = all[(first + index * 3) % all.length] as BadRequest
    await guest[method](address, asked)
  }
  const shown = visitor.visits.filter(({ isAtRest, status }) => isAtRest && status === 200)
  const found = (path: RegExp) => shown.find(({ address }) => path.test(address))
  await visitExecution(guest, found(/^\/shows\/[^/]+\/execution$/), roles)
  await visitDelivery(guest, found(/^\/shows\/[^/]+\/deliveries/), roles)
}

interface Execution {
  readonly status: string
  readonly states: readonly { readonly child?: { readonly machine: string; readonly name: string } }[]
}

/** Reads a child of an execution and one that does not exist, and asks in vain to redrive that of a show that is over. */
async function visitExecution(
  { get, post }: Visitor,
  visit: Visit | undefined,
  { viewer: as, operator }: Roles,
): Promise<void> {
  const execution = visit && jsonOf<Execution>(visit)
  if (!execution) return
  const { address } = visit
  const children = execution.states.flatMap(({ child }) => child ?? []).filter(({ machine }) => machine !== 'publish')
  for (const { machine, name } of children.slice(0, 1))
    await get(`${address}?machine=${machine}&name=${name}`, { as, expects: 200 })
  const unknown = { as, expects: 404, says: 'unknown-execution' }
  await get(`${address}?name=none`, unknown)
  await get(`${address}?machine=watch`, unknown)
  const refused = { as: operator, expects: 409, says: 'not-redrivable' }
  if (execution.status === 'succeeded') {
    await post(`${address}/redrive`, refused)
    await post(`${address}/redrive`, { ...refused, key: 'redrive' })
  }
  await post(`/shows/${UNKNOWN}/execution/redrive`, { as: operator, expects: 404, says: 'unknown-show' })
}

interface Deliveries {
  readonly items: readonly { readonly deliveryId: string; readonly status: string }[]
}

/** Replays a delivery that was delivered, or that the app wanted no more, and asks in vain for one that does not exist. */
async function visitDelivery({ post }: Visitor, visit: Visit | undefined, { operator: as }: Roles): Promise<void> {
  const { items } = (visit && jsonOf<Deliveries>(visit)) ?? {}
  if (!visit || !items) return
  const [path = ''] = visit.address.split('?')
  await post(`${path}/${'0'.repeat(32)}/replay`, { as, expects: 404, says: 'unknown-delivery' })
  const [newest] = items
  if (newest?.status !== 'delivered' && newest?.status !== 'gone') return
  await post(`${path}/${newest.deliveryId}/replay`, { as, expects: 202, says: newest.deliveryId })
}
