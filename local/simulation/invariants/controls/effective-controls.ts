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

type Seen = Pick<Evidence, 'apiRequests' | 'trace' | 'failedCalls' | 'shows'>

/**
 * Checks that a control which is answered as done has made its call of the platform, and that a disconnected dial-in has ended. Faults
 * of the API excuse it, since a lost answer to tones is reported, and not an error.
 */
export function effectiveControls({ apiRequests, trace, failedCalls, shows }: Seen): string[] {
  const faults = faultsOf(failedCalls, /^Api$/)
  const done = apiRequests.filter(({ method, status }) => method === 'POST' && status === DONE)
  return [
    ...shows.flatMap((show) => connectedDialIns(show, done, trace)),
    ...withoutCalls({ apiRequests, trace }, faults),
  ]
}

/** Seconds within which the end of a dial-in is noted, also while the clocks differ. */
const NOTED = 60

/** A fault at that time, or the end of the show, may hide the end of a dial-in. */
function connectedDialIns(
  { showId, state }: Seen['shows'][number],
  done: readonly AnsweredRequest[],
  trace: Seen['trace'],
): string[] {
  const { dialIns = [], timeline = [], endedAt, stopAskedAt } = state ?? {}
  return done
    .filter(({ path }) => path === `/shows/${showId}/disconnect`)
    .flatMap(({ body, askedAt, answeredAt }) => {
      const { connectionId } = JSON.parse(body) as { readonly connectionId: string }
      const call = dialIns.find((one) => one.connectionId === connectionId)
      const hasEnded = timeline.some(
        ({ what, name, at }) =>
          what === 'dialIn.ended' && name === call?.name && Date.parse(at) <= answeredAt + NOTED * 1000,
      )
      const isMeanwhile = (time: number) => time >= askedAt && time <= answeredAt + NOTED * 1000
      const isExcused =
        [endedAt, stopAskedAt].some((at) => isMeanwhile(Date.parse(at ?? ''))) ||
        trace.some(({ fault, at }) => fault !== undefined && isMeanwhile(at))
      return !call || hasEnded || isExcused
        ? []
        : [`the dial-in ${call.name} of ${showId.slice(0, 12)} was closed, and has not ended`]
    })
}

function withoutCalls(
  { apiRequests, trace }: Pick<Seen, 'apiRequests' | 'trace'>,
  faults: ReturnType<typeof faultsOf>,
) {
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
