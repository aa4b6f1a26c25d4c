import type { AnsweredRequest } from '../../environment/app/api-requests.ts'
import type { Evidence } from '../evidence.ts'
import { faultsOf } from '../faults-of.ts'

const DONE = 200

/** A control, with the call of the platform that carries it out. */
interface Effect {
  readonly path: RegExp
  callOf(body: Readonly<Record<string, unknown>>): string
}
const effects: readonly Effect[] = [
  { path: /\/signals$/, callOf: ({ connectionId }) => (connectionId ? 'signalConnection' : 'signalSession') },
  { path: /\/mute$/, callOf: ({ streamId }) => (streamId ? 'muteStream' : 'muteSession') },
  { path: /\/tones$/, callOf: ({ connectionId }) => (connectionId ? 'playDtmfToConnection' : 'playDtmfToSession') },
  { path: /\/disconnect$/, callOf: () => 'forceDisconnect' },
  { path: /\/layout-classes$/, callOf: () => 'setStreamLayoutClasses' },
]

/**
 * Checks that a control which is answered as done has made its call of the platform. Faults of the API excuse it, since a lost
 * answer to tones is reported, and not an error.
 */
export function effectiveControls({
  apiRequests,
  trace,
  failedCalls,
}: Pick<Evidence, 'apiRequests' | 'trace' | 'failedCalls'>): string[] {
  const faults = faultsOf(failedCalls, /^Api$/)
  return apiRequests.flatMap((one) => {
    const effect = effects.find(({ path }) => one.method === 'POST' && one.status === DONE && path.test(one.path))
    if (!effect) return []
    const from = firstAsked(one, apiRequests)
    const isWithin = ({ at }: { readonly at: number }) => at >= from && at <= one.answeredAt
    const wanted = `platform ${effect.callOf(JSON.parse(one.body))}`
    if (faults.some(isWithin) || trace.some((entry) => entry.call?.name === wanted && isWithin(entry))) return []
    return [`POST ${one.path} was answered as done without a call of ${wanted}`]
  })
}

const firstAsked = ({ key, path }: AnsweredRequest, all: readonly AnsweredRequest[]) =>
  Math.min(...all.filter((one) => one.key === key && one.path === path).map(({ askedAt }) => askedAt))
