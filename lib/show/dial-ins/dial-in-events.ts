import type { CallbackBody } from '../../platform/contract/callbacks.ts'
import type { Services } from '../../services.ts'
import { ServiceError } from '../../tasks/errors.ts'
import { dialInOfTag } from '../document/fields/names.ts'
import { withEntry } from '../run/resource-entries.ts'
import type { DialInState } from '../state/resources.ts'
import type { ShowState } from '../state/state.ts'
import { playDtmfOnce } from './dial-in-dtmf.ts'

type Noting = Pick<Services, 'records' | 'shows'>
type Answering = Pick<Services, 'records' | 'shows' | 'platform' | 'showSecrets' | 'clock' | 'newId'>

/** Milliseconds from the request of a call to its creation: a task's timeout, and the difference of clocks. */
const LATEST = 60_000
const EARLIEST = -5_000

/** Notes the connection of a call in its dial-in, whose tag the connection data carry. */
export async function noteConnection({ records, shows }: Noting, body: CallbackBody<'connection'>): Promise<void> {
  const { connection, event, sessionId } = body
  const marked = dialInOfTag(connection.data)
  if (event !== 'connectionCreated' || !marked) return
  const { showId, name } = marked
  const state = await records.readState(showId)
  if (state?.sessionId !== sessionId) return
  if (state.dialIns.some((one) => one.name === name && isUnanswered(one)))
    await note(shows, { showId, name }, { connectionId: connection.id })
}

/**
 * Notes the id of a call in the dial-in with its connection. If the platform sends no callbacks of connections, it is the only
 * dial-in of the session whose answer was lost at about that time.
 */
export async function noteCall(services: Noting, { event, call, sessionId }: CallbackBody<'call'>): Promise<void> {
  if (event !== 'callCreated') return
  const state = await findShow(services, sessionId)
  if (!state) return
  const { showId, dialIns } = state
  const ids = { callId: call.id, connectionId: call.connectionId }
  const known = dialIns.find(({ connectionId }) => connectionId === call.connectionId)
  if (known) {
    if (known.callId === undefined) await note(services.shows, { showId, name: known.name }, ids)
    return
  }
  const lost = dialIns.filter((one) => isUnanswered(one) && isAtAbout(one, call.createdAt))
  const [only] = lost
  if (only && lost.length === 1 && only.status === 'unknown')
    await note(services.shows, { showId, name: only.name }, ids)
}

/** Returns whether the platform was asked to dial and the outcome is unknown. */
const isUnanswered = ({ askedAt, connectionId, status }: DialInState) =>
  askedAt !== undefined && connectionId === undefined && status !== 'ended'

/**
 * Plays the tones of a dial-in when its callee has answered.
 * @throws {@link ServiceError} while the dial of the answered call may not be noted yet: the platform repeats the callback
 */
export async function noteAnswer(
  services: Answering,
  { call, sessionId, ...body }: CallbackBody<'call'>,
): Promise<void> {
  if (body.event !== 'callUpdated' || body.state !== 'ACTIVE') return
  const state = await findShow(services, sessionId)
  if (!state) return
  const { showId, dialIns } = state
  const { connectionId } = call
  const known = dialIns.find((one) => one.connectionId === connectionId)
  if (known) return playDtmfOnce(services, { showId, sessionId, name: known.name, connectionId })
  if (dialIns.some((one) => isUnanswered(one) && one.status === undefined && isAtAbout(one, call.createdAt)))
    throw new ServiceError('A call was answered before its dial was noted: the callback has to be delivered again.')
}

function isAtAbout({ askedAt = '' }: DialInState, createdAt: number): boolean {
  const delay = createdAt - Date.parse(askedAt)
  return delay >= EARLIEST && delay <= LATEST
}

/** Returns the unfinished show of a session, if it has dial-ins. */
async function findShow({ records }: Pick<Services, 'records'>, sessionId: string): Promise<ShowState | undefined> {
  for await (const showId of records.eachUnfinished()) {
    const state = await records.readState(showId)
    if (state?.sessionId === sessionId && state.dialIns.length > 0) return state
  }
  return undefined
}

type Ids = Pick<DialInState, 'callId' | 'connectionId'>

/** Notes the ids of a call. A stop of the show disconnects the call by them. */
const note = (shows: Services['shows'], { showId, name }: { showId: string; name: string }, ids: Ids) =>
  shows.update(
    showId,
    (state) => ({
      ...state,
      dialIns: withEntry(state.dialIns, name, (entry) => ({
        ...entry,
        ...ids,
        status: entry.status === 'ended' ? 'ended' : 'dialed',
      })),
    }),
    { what: 'dialIn.started', name },
  )
