import type { Services } from '../../services.ts'
import { ShowStoppedError, TaskInputError } from '../../tasks/errors.ts'
import type { TaskOutput } from '../../tasks/tasks.ts'
import type { DialInOrder } from '../document/dial-in.ts'
import { dialInTag } from '../document/fields/names.ts'
import { describePlatformError, isAlreadyEnded, isUncertain, onError } from '../run/platform-errors.ts'
import { withEntry, withoutProblem } from '../run/resource-entries.ts'
import { isStopped } from '../run/unless-stopped.ts'
import type { DialInState } from '../state/resources.ts'

export interface DialIn {
  readonly showId: string
  readonly sessionId: string
  /** The order of a dial-in that was added while the show runs must be in the state before. */
  readonly name: string
}

type Dialing = Pick<Services, 'project' | 'platform' | 'shows' | 'showSecrets' | 'clock' | 'newId'>

/**
 * Lets the platform dial once. The platform cannot distinguish calls, so a call whose answer was lost stays `unknown` and is never repeated.
 * The request is noted first; a refusal removes the note.
 * @throws {@link ShowStoppedError} when the show is over or was asked to stop
 * @throws {@link TaskConfigError} when a secret that the order refers to does not exist
 * @throws {@link PlatformError} when the platform refuses, or surely did not receive the request
 */
export async function dialIn(services: Dialing, dial: DialIn): Promise<TaskOutput<'startDialIn'>> {
  const { shows, clock, newId } = services
  const { showId, sessionId, name } = dial
  const [{ show }, state] = await Promise.all([shows.request(showId), shows.state(showId)])
  const entry = state.dialIns.find((one) => one.name === name)
  const order = show.dialIns.find((one) => one.name === name) ?? entry?.order
  if (!entry || !order) throw new TaskInputError(`The show ${showId} orders no dial-in ${name}.`)
  if (entry.status) return { name, outcome: entry.status === 'unknown' ? 'unknown' : 'dialed' }
  if (entry.askedAt) return noteUnknown(services, dial)
  if (isStopped(state)) throw stopped()

  const [platform, token, sip] = await Promise.all([
    services.platform(),
    services.project.publisherToken(sessionId, {
      data: dialInTag(showId, name),
      layoutClasses: order.layoutClasses,
    }),
    sipOptionsOf(services, order),
  ])
  const askedAt = new Date(clock.now()).toISOString()
  const askedBy = newId()
  let isMine = false
  await change(shows, dial, (latest, isOver) => {
    if (latest.askedBy === askedBy) return latest // the answer to this call's own write was lost
    isMine = !isOver && latest.askedAt === undefined
    return isMine ? { ...withoutProblem(latest), askedAt, askedBy } : latest
  })
  if (!isMine) return dialIn(services, dial) // another call was faster

  const outcome = await platform.dial({ sessionId, token, sip }).catch((error: unknown) => ({ error }))
  if ('error' in outcome) {
    if (isUncertain(outcome.error)) return noteUnknown(services, dial)
    await change(shows, dial, ({ askedAt: _, askedBy: __, status: ___, ...latest }) => latest)
    throw describePlatformError(outcome.error)
  }
  const { id: callId, connectionId, streamId } = outcome
  const dialed = { status: 'dialed', callId, connectionId, streamId } as const
  const latest = await change(shows, dial, (latest) => ({ ...answered(latest), ...dialed }), 'dialIn.started')
  if (!isStopped(latest)) return { name, outcome: 'dialed' }
  await platform.forceDisconnect({ sessionId, connectionId }).catch(onError(isAlreadyEnded, undefined))
  await change(shows, dial, (latest) => ({ ...latest, status: 'ended' }))
  throw stopped()
}

const stopped = () => new ShowStoppedError('The show was stopped meanwhile.')

/** A callback of the platform may have completed the entry meanwhile. */
async function noteUnknown({ shows }: Dialing, dial: DialIn): Promise<TaskOutput<'startDialIn'>> {
  const { name } = dial
  const known = (await shows.state(dial.showId)).dialIns.find((one) => one.name === name)?.status
  if (known && known !== 'unknown') return { name, outcome: 'dialed' }
  await change(shows, dial, (latest) => ({ ...answered(latest), status: latest.status ?? 'unknown' }), 'dialIn.unknown')
  return { name, outcome: 'unknown' }
}

/** Returns an entry without the id of the call that asked. */
function answered({ askedBy: _, ...entry }: DialInState): DialInState {
  return entry
}

const change = (
  shows: Services['shows'],
  { showId, name }: DialIn,
  next: (entry: DialInState, isOver: boolean) => DialInState,
  ...happened: ('dialIn.started' | 'dialIn.unknown')[]
) =>
  shows.update(
    showId,
    (state) => ({ ...state, dialIns: withEntry(state.dialIns, name, (entry) => next(entry, isStopped(state))) }),
    ...happened.map((what) => ({ what, name })),
  )

/** Returns the SIP options of an order, with the values of its secrets. */
async function sipOptionsOf(services: Pick<Dialing, 'showSecrets'>, order: DialInOrder) {
  const { uri, from, headers, auth, secure, video, observeForceMute } = order
  const named = await Promise.all(
    Object.entries(headers).map(async ([header, value]) => {
      return [header, typeof value === 'string' ? value : await services.showSecrets.resolve(value, uri)] as const
    }),
  )
  return {
    uri,
    secure,
    video,
    observeForceMute,
    ...(from && { from }),
    ...(named.length > 0 && { headers: Object.fromEntries(named) }),
    ...(auth && {
      auth: { username: auth.username, password: await services.showSecrets.resolve(auth.password, uri) },
    }),
  }
}
