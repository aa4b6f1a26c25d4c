import type { CallbackBody } from '../../platform/contract/callbacks.ts'
import type { Services } from '../../services.ts'
import { ServiceError } from '../../tasks/errors.ts'
import { dialInOfTag } from '../document/fields/names.ts'
import { withEntry } from '../run/resource-entries.ts'
import type { DialInState } from '../state/resources.ts'
import type { ShowState } from '../state/state.ts'
import { playDtmfOnce } from './dial-in-dtmf.ts'

type Reach = Pick<Services, 'records' | 'shows'>
type ToneReach = Pick<Services, 'records' | 'shows' | 'platform' | 'showSecrets' | 'clock'>

/** Milliseconds from asking for a call to its creation: a task's time, and how far clocks may differ. */
const LATEST = 60_000
const EARLIEST = -5_000
/** Of the list of shows that are not settled. */
const PAGE = 1_000

/** Notes whose connection it is that a call has brought: it carries the dial-in's tag. */
export async function noteConnection({ records, shows }: Reach, body: CallbackBody<'connection'>): Promise<void> {
  const { connection, event, sessionId } = body
  const marked = dialInOfTag(connection.data)
  if (event !== 'connectionCreated' || !marked) return
  const { showId, name } = marked
  const state = await records.readState(showId)
  if (state?.sessionId !== sessionId) return
  if (state.dialIns.some((one) => one.name === name && isUntold(one)))
    await note(shows, { showId, name }, { connectionId: connection.id })
}

/**
 * Notes the id of a call, by the connection that is known already; where the platform tells of no connections, of the one
 * dial-in of the session whose answer was lost at about that time.
 */
export async function noteCall(services: Reach, { event, call, sessionId }: CallbackBody<'call'>): Promise<void> {
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
  const lost = dialIns.filter((one) => isUntold(one) && isAtAbout(one, call.createdAt))
  const [only] = lost
  if (only && lost.length === 1 && only.status === 'unknown')
    await note(services.shows, { showId, name: only.name }, ids)
}

/** Whether the platform was asked, and nobody knows what came of it. */
const isUntold = ({ askedAt, connectionId, status }: DialInState) =>
  askedAt !== undefined && connectionId === undefined && status !== 'ended'

/**
 * Plays the tones of a dial-in when its callee has answered.
 * @throws {@link ServiceError} while the call that was answered may be one whose dial has not been noted: the callback comes again
 */
export async function noteAnswer(
  services: ToneReach,
  { call, sessionId, ...body }: CallbackBody<'call'>,
): Promise<void> {
  if (body.event !== 'callUpdated' || body.state !== 'ACTIVE') return
  const state = await findShow(services, sessionId)
  if (!state) return
  const { showId, dialIns } = state
  const { connectionId } = call
  const known = dialIns.find((one) => one.connectionId === connectionId)
  if (known) return playDtmfOnce(services, { showId, sessionId, name: known.name, connectionId })
  if (dialIns.some((one) => isUntold(one) && one.status === undefined && isAtAbout(one, call.createdAt)))
    throw new ServiceError('A call was answered before its dial was noted: the callback has to be delivered again.')
}

function isAtAbout({ askedAt = '' }: DialInState, createdAt: number): boolean {
  const delay = createdAt - Date.parse(askedAt)
  return delay >= EARLIEST && delay <= LATEST
}

/** A show of this session that is not settled. */
async function findShow({ records }: Reach, sessionId: string): Promise<ShowState | undefined> {
  for (let after: string | undefined; ; ) {
    const { items, cursor } = await records.listUnfinished({ limit: PAGE, ...(after && { after }) })
    for (const showId of items) {
      const state = await records.readState(showId)
      if (state?.sessionId === sessionId && state.dialIns.length > 0) return state
    }
    if (!cursor) return undefined
    after = cursor
  }
}

type Ids = Pick<DialInState, 'callId' | 'connectionId'>

/** Whoever stops the show ends it by its connection from then on. */
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
