import { sessionIds } from '../../lib/platform/contract/sessions.ts'
import type { Services } from '../../lib/services.ts'
import type { Show } from '../../lib/show/document/show.ts'
import { isUnreadable } from '../../lib/show/run/platform-errors.ts'
import { TaskInputError } from '../../lib/tasks/errors.ts'
import type { TaskInput, TaskOutput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

export async function openSession(
  { showId }: TaskInput<'openSession'>,
  services: Services,
): Promise<TaskOutput<'openSession'>> {
  const { shows } = services
  const [{ show }, state] = await Promise.all([shows.request(showId), shows.state(showId)])
  const sessionId = state.sessionId ?? (await noteSession(showId, await sessionOf(show, services), services))
  await shows.note(showId, { what: 'session.opened' }) // no sooner: an attempt after this one might open another
  return { sessionId }
}

const sessionOf = ({ session: { id, ...wishes } }: Show, services: Services) =>
  id === undefined ? createSession(services, wishes) : adoptSession(services, id)

/** The session of the show from now on: this one, unless somebody was faster. */
async function noteSession(showId: string, opened: string, { shows }: Services): Promise<string> {
  const { sessionId = opened } = await shows.update(showId, (latest) => ({
    ...latest,
    sessionId: latest.sessionId ?? opened,
  }))
  return sessionId
}

/** A routed one, since a relayed one can be neither recorded nor broadcast. */
async function createSession(
  { platform }: Services,
  { location, archiveMode = 'manual' }: Omit<Show['session'], 'id'>,
): Promise<string> {
  const client = await platform()
  const create = () =>
    client.createSession({ archiveMode, 'p2p.preference': 'disabled', ...(location && { location }) })
  // An answer that cannot be understood names no session; one that nobody uses costs nothing, so another is made.
  const [session] = await create().catch(async (error: unknown) => {
    if (isUnreadable(error)) return create()
    throw error
  })
  if (!session) throw new TaskInputError('The platform created no session.')
  return session.session_id
}

/** Whether it is routed, and there at all, shows when something is started in it. */
async function adoptSession({ project }: Services, sessionId: string): Promise<string> {
  const theirs = sessionIds.apiKeyOf(sessionId)
  if (theirs === undefined)
    throw new TaskInputError(`The show’s session.id is no session id: give one that the platform created.`)
  const ours = await project.apiKey()
  if (theirs !== ours)
    throw new TaskInputError(
      `The show’s session.id is of the platform project ${theirs}, and this deployment uses ${ours}: create the session with that one.`,
    )
  return sessionId
}

export const handler = taskHandler('openSession', openSession)
