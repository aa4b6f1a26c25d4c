import { sessionIds } from '../../../platform/contract/sessions.ts'
import type { Services, TaskRun } from '../../../services.ts'
import { TaskInputError } from '../../../tasks/errors.ts'
import type { Show } from '../../document/show.ts'
import { isUnreadable } from '../platform-errors.ts'

type Opening = Pick<Services, 'shows' | 'platform' | 'project'>

/** Creates the session of a show, or adopts the one that the show or an earlier attempt names. */
export const createOrAdoptSession: TaskRun<'openSession', keyof Opening> = async (services, { showId }) => {
  const { shows } = services
  const [{ show }, state] = await Promise.all([shows.request(showId), shows.state(showId)])
  const sessionId = state.sessionId ?? (await noteSession(services, showId, await sessionOf(services, show)))
  await shows.note(showId, { what: 'session.opened' }) // last: an interrupted attempt may have opened another session
  return { sessionId }
}

const sessionOf = (services: Opening, { session: { id, ...options } }: Show) =>
  id === undefined ? createSession(services, options) : adoptSession(services, id)

/** Returns the session that the state holds: another attempt may have noted its own first. */
async function noteSession({ shows }: Opening, showId: string, opened: string): Promise<string> {
  const { sessionId = opened } = await shows.update(showId, (latest) => ({
    ...latest,
    sessionId: latest.sessionId ?? opened,
  }))
  return sessionId
}

/** Creates a routed session, because a relayed one can be neither recorded nor broadcast. */
async function createSession(
  { platform }: Opening,
  { location, archiveMode = 'manual' }: Omit<Show['session'], 'id'>,
): Promise<string> {
  const client = await platform()
  const create = () =>
    client.createSession({ archiveMode, 'p2p.preference': 'disabled', ...(location && { location }) })
  // An unreadable answer names no session. An unused session costs nothing, so another one is created.
  const [session] = await create().catch(async (error: unknown) => {
    if (isUnreadable(error)) return create()
    throw error
  })
  if (!session) throw new TaskInputError('The platform created no session.')
  return session.session_id
}

/** Checks the project only: the first start in the session shows whether it exists and is routed. */
async function adoptSession({ project }: Opening, sessionId: string): Promise<string> {
  const theirs = sessionIds.apiKeyOf(sessionId)
  if (theirs === undefined)
    throw new TaskInputError('The show’s session.id is not a session id: use one that the platform created.')
  const ours = await project.apiKey()
  if (theirs !== ours)
    throw new TaskInputError(
      `The show’s session.id belongs to the platform project ${theirs}, but this deployment uses ${ours}: create the session there.`,
    )
  return sessionId
}
