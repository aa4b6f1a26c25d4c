import { randomUUID } from 'node:crypto'
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
  /** One that was added while the show runs must stand in the state, with its order, before. */
  readonly name: string
}

type Reach = Pick<Services, 'project' | 'platform' | 'shows' | 'showSecrets' | 'clock'>

/**
 * Has the platform dial, once: nothing tells a call from another, so one whose answer was lost stays `unknown` and is never
 * repeated. That it is asked is written down before; a refusal takes that back, since then nobody was called.
 * @throws ShowStoppedError when the show is over or was asked to stop
 * @throws TaskConfigError when a secret it refers to is not there
 * @throws PlatformError when the platform refuses, or surely saw nothing of it
 */
export async function dialIn(services: Reach, dial: DialIn): Promise<TaskOutput<'startDialIn'>> {
  const { shows, clock } = services
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
    invitationOf(order, services),
  ])
  const askedAt = new Date(clock.now()).toISOString()
  const askedBy = randomUUID()
  let isMine = false
  await change(shows, dial, (latest, isOver) => {
    if (latest.askedBy === askedBy) return latest // the answer to this call's own write was lost
    isMine = !isOver && latest.askedAt === undefined
    return isMine ? { ...withoutProblem(latest), askedAt, askedBy } : latest
  })
  if (!isMine) return dialIn(services, dial) // somebody else was faster

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

/** A callback of the platform may have told meanwhile what its answer did not. */
async function noteUnknown({ shows }: Reach, dial: DialIn): Promise<TaskOutput<'startDialIn'>> {
  const { name } = dial
  const known = (await shows.state(dial.showId)).dialIns.find((one) => one.name === name)?.status
  if (known && known !== 'unknown') return { name, outcome: 'dialed' }
  await change(shows, dial, (latest) => ({ ...answered(latest), status: latest.status ?? 'unknown' }), 'dialIn.unknown')
  return { name, outcome: 'unknown' }
}

/** An entry whose call has been answered, or will never be. */
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

/** What the callee is sent; the values that were given as references are read now. */
async function invitationOf(order: DialInOrder, services: Pick<Reach, 'showSecrets'>) {
  const { uri, from, headers, auth, secure, video, observeForceMute } = order
  const named = await Promise.all(
    Object.entries(headers).map(async ([header, value]) => {
      return [header, typeof value === 'string' ? value : await services.showSecrets.resolve(value, uri)] as const
    }),
  )
  return {
    ...{ uri, secure, video, observeForceMute },
    ...(from && { from }),
    ...(named.length > 0 && { headers: Object.fromEntries(named) }),
    ...(auth && {
      auth: { username: auth.username, password: await services.showSecrets.resolve(auth.password, uri) },
    }),
  }
}
