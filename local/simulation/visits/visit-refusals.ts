import type { Random } from '../scheduling/random.ts'
import type { Roles } from './visit-shows.ts'
import type { Asked, Visitor } from './visitor.ts'

interface Refusal extends Asked {
  readonly method?: 'post'
  readonly address: string
}

const UNKNOWN = '0'.repeat(40)
const UNKNOWN_ARCHIVE = '00000000-0000-4000-8000-000000000000'

/** Requests that docs/showrunner-api.json refuses, with the status of each. */
const refusalsOf = ({ viewer, operator, admin }: Roles): Refusal[] => [
  { address: '/shows', expects: 401 },
  { address: '/usage', expects: 401 },
  { address: '/shows', as: 'nothing', expects: 403 },
  { address: `/recordings/${UNKNOWN_ARCHIVE}`, as: 'nothing', expects: 403 },
  { method: 'post', address: '/shows', as: viewer, body: {}, expects: 403 },
  { method: 'post', address: `/shows/${UNKNOWN}/stop`, as: viewer, body: {}, expects: 403 },
  { method: 'post', address: `/recordings/${UNKNOWN_ARCHIVE}/restore`, as: operator, body: {}, expects: 403 },
  { method: 'post', address: '/shows', as: operator, body: {}, expects: 400 },
  { method: 'post', address: '/shows', as: operator, expects: 400 },
  { method: 'post', address: `/shows/${UNKNOWN}/stop`, as: operator, body: {}, expects: 404 },
  { method: 'post', address: `/recordings/${UNKNOWN_ARCHIVE}/restore`, as: admin, body: {}, expects: 404 },
  { method: 'post', address: `/recordings/${UNKNOWN_ARCHIVE}/rebuild`, as: operator, body: {}, expects: 404 },
  { method: 'post', address: `/recordings/${UNKNOWN_ARCHIVE}/revoke`, as: admin, body: {}, expects: 404 },
  { method: 'post', address: '/public/join', body: { invitation: 'none' }, expects: 403 },
  { method: 'post', address: '/public/join', body: {}, expects: 400 },
  ...['', '/events', '/execution', '/cost', '/quality', '/streams', '/clips', '/deliveries'].map((of) => ({
    ...{ address: `/shows/${UNKNOWN}${of}`, as: viewer, expects: 404 },
  })),
  ...['', '/clips', '/clips/0123456789abcdef'].map((of) => ({
    ...{ address: `/recordings/${UNKNOWN_ARCHIVE}${of}`, as: admin, expects: 404 },
  })),
  { address: `/public/recordings/${UNKNOWN_ARCHIVE}`, expects: 404 },
  { address: `/watch/${UNKNOWN_ARCHIVE}/recording`, expects: 403 },
  { address: `/watch/${UNKNOWN_ARCHIVE}/playlist?file=hls/master.m3u8`, expects: 403 },
  { address: `/watch/show/${UNKNOWN}/state`, expects: 403 },
  ...['limit=0', 'limit=101', 'limit=1.5', 'cursor=none', 'status=none', 'from=today', 'label=none', 'other=1'].map(
    (query) => ({ address: `/shows?${query}`, as: viewer, expects: 400 }),
  ),
  ...['limit=0', 'limit=101', 'deleted=maybe', 'name=', 'to=today', 'deleted=true&name=a', 'other=1'].map((query) => ({
    ...{ address: `/recordings?${query}`, as: viewer, expects: 400 },
  })),
  { address: '/shows?limit=100', as: viewer, expects: 200 },
  { address: '/shows?limit=1&label=a=b', as: viewer, expects: 200 },
  { address: '/usage?from=2030-01-02&to=2030-01-01', as: viewer, expects: 400 },
  { address: '/usage?from=2029-01-01&to=2029-04-01', as: viewer, expects: 400 },
  { address: '/usage?from=2029-01-01&to=2029-03-31', as: viewer, expects: 200 },
  { address: '/publishing?limit=1', as: viewer, expects: 400 },
  { address: '/nothing', as: viewer, expects: 404 },
]

/** Refusals that are visited in one world. */
const COUNT = 12

/** Visits some of the requests that are refused. */
export async function visitRefusals({ get, post }: Visitor, roles: Roles, random: Random): Promise<void> {
  const all = refusalsOf(roles)
  const first = random.below(all.length)
  for (let index = 0; index < COUNT; index++) {
    const { method, address, ...asked } = all[(first + index * 5) % all.length] as Refusal
    await (method === 'post' ? post : get)(address, asked)
  }
}
