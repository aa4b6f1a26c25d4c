import type { AnsweredRequest } from '../../environment/app/api-requests.ts'
import type { Evidence, ShowEvidence } from '../evidence.ts'
import { pausesOf } from '../parts/pauses-of.ts'
import type { Composed, RequestedChange } from './requested-change.ts'

/** Milliseconds around a request in which the state of a show may change, also while the clocks differ. */
const AROUND = 10_000
/** Seven days, in seconds. */
const MAX_SHOW = 604_800
/** Matches the controls that a show refuses once it has ended. */
const CONTROL =
  /\/(signals|mute|layout-classes|tones|disconnect|dial-ins|broadcasts|broadcasts\/[^/]+\/stop|recordings\/[^/]+\/(pause|resume)|markers|clips)$/

type Seen = Pick<Evidence, 'shows' | 'apiRequests'>

/**
 * Checks that the API carries out no control that docs/problems.md refuses: by the state of the show or of the recording, or by the
 * document. A repeated key gets the first answer, so only that is judged. An attempt
 * before it may have had the effect.
 */
export const acceptedControls = ({ shows, apiRequests }: Seen): string[] =>
  shows.flatMap((show) => {
    const prefix = `/shows/${show.showId}`
    const own = apiRequests.filter(({ method, path }) => method !== 'GET' && path.startsWith(prefix))
    const byKey = Map.groupBy(own, ({ method, path, key }) => `${method} ${path} ${key}`)
    const first = [...byKey.values()].flatMap((same) => {
      const accepted = same.find(({ status = 500 }) => status < 300)
      return accepted ? [{ ...accepted, askedAt: Math.min(...same.map(({ askedAt }) => askedAt)) }] : []
    })
    return first.flatMap((request) =>
      reasonsAgainst(request.path.slice(prefix.length), request, show).map(
        (why) => `${request.method} ${request.path} was carried out, although ${why}`,
      ),
    )
  })

function reasonsAgainst(path: string, request: AnsweredRequest, show: ShowEvidence): string[] {
  const { method, askedAt } = request
  const endedAt = Date.parse(show.state?.endedAt ?? '')
  return [
    ...(method === 'POST' && CONTROL.test(path) && askedAt > endedAt + AROUND ? ['the show had ended'] : []),
    ...(method === 'PUT' && path === '' && askedAt > show.startedAt + AROUND ? ['the show had begun'] : []),
    ...(method === 'PATCH' && path === '' ? againstChange(request, show) : []),
    ...againstPause(path, request, show),
    ...againstBroadcast(path, request, show),
  ]
}

function againstChange({ body, askedAt }: AnsweredRequest, show: ShowEvidence): string[] {
  const { duration = 0, endsAt, layouts = [], streams = [] } = JSON.parse(body) as RequestedChange
  const { recordings = [] } = show.request?.show ?? {}
  const names = { recording: recordings.map(({ name }) => name), broadcast: broadcastsOf(show) }
  const isKnown = ({ recording, broadcast = '' }: Composed) =>
    recording === undefined ? names.broadcast.includes(broadcast) : names.recording.includes(recording)
  const automatic = recordings.filter(({ streamMode }) => streamMode !== 'manual').map(({ name }) => name)
  return [
    ...(duration > MAX_SHOW ? ['it may last seven days'] : []),
    ...(endsAt !== undefined && Date.parse(endsAt) < askedAt - AROUND ? ['its end had passed'] : []),
    ...([...layouts, ...streams].every(isKnown) ? [] : ['it names what the show does not have']),
    ...(streams.some(({ recording }) => recording !== undefined && automatic.includes(recording))
      ? ['its recording selects no streams']
      : []),
  ]
}

function againstPause(path: string, { askedAt, answeredAt }: AnsweredRequest, show: ShowEvidence): string[] {
  const [, name, action] = /^\/recordings\/([^/]+)\/(pause|resume)$/.exec(path) ?? []
  if (name === undefined) return []
  const order = show.request?.show.recordings.find((one) => one.name === name)
  if (!order) return ['the show does not have the recording']
  if (order.parts === false) return ['the recording has no parts']
  if (order.streamMode === 'manual') return ['the platform forgets the streams of the recording']
  const pauses = pausesOf(order, show.state)
  const isPaused = pauses.some(({ from, to }) => from < askedAt - AROUND && to > answeredAt + AROUND)
  const mayBePaused = pauses.some(({ from, to }) => from <= answeredAt + AROUND && to >= askedAt - AROUND)
  if (action === 'pause') return isPaused ? ['the recording was paused'] : []
  return mayBePaused ? [] : ['the recording was not paused']
}

function againstBroadcast(path: string, { method, body }: AnsweredRequest, show: ShowEvidence): string[] {
  if (method !== 'POST') return []
  const [, stopped] = /^\/broadcasts\/([^/]+)\/stop$/.exec(path) ?? []
  const names = broadcastsOf(show)
  if (stopped !== undefined) return names.includes(stopped) ? [] : ['the show does not have the broadcast']
  if (path === '/clips') {
    const { broadcast } = JSON.parse(body) as { readonly broadcast?: string }
    return broadcast === undefined || names.includes(broadcast) ? [] : ['the show does not have the broadcast']
  }
  const { name = '' } = path === '/broadcasts' ? (JSON.parse(body) as { readonly name?: string }) : {}
  const isTaken = show.request?.show.broadcasts?.some((one) => one.name === name)
  return isTaken ? ['the name of the broadcast is taken'] : []
}

/** Returns the names of the broadcasts that a show has, by its document or by its state. */
const broadcastsOf = ({ request, state }: ShowEvidence): string[] =>
  [...(request?.show.broadcasts ?? []), ...(state?.broadcasts ?? [])].map(({ name }) => name)
