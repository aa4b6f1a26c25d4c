import { startRefusals } from '../../../lib/platform/contract/errors.ts'
import { Refusal } from '../http/refusal.ts'
import type { ProjectRecord, SessionRecord } from '../state/records.ts'
import type { Store } from '../state/store.ts'
import type { Presence } from './presence.ts'

/**
 * What a session must be for an archive or a broadcast to start: known, routed and with a client connected.
 * @throws Refusal 404 or 409
 */
export function admitSession(store: Store, attendance: Presence, apiKey: string, sessionId: string): SessionRecord {
  const session = store.sessions.get(sessionId)
  if (session?.projectId !== apiKey) throw new Refusal(404, startRefusals.noSession)
  if (!session.routed) throw new Refusal(409, 'The session is relayed: only a routed one can be recorded or broadcast.')
  if (!attendance.hasClients(sessionId)) throw new Refusal(404, startRefusals.noClients)
  return session
}

/** The project of a session that clients may join. @throws Refusal 403 */
export function admitClient(store: Store, { projectId }: SessionRecord): ProjectRecord {
  const project = store.projects.get(projectId)
  if (!project) throw new Refusal(403, 'The session’s project has been deleted.')
  if (project.status === 'SUSPENDED') throw new Refusal(403, 'The session’s project is suspended: nobody can join.')
  return project
}

/**
 * Lets simultaneous ones of a session be told apart: a tag may be in use once, and without one nothing else may run.
 * @throws Refusal 409
 */
export function admitTag(
  field: 'multiArchiveTag' | 'multiBroadcastTag',
  tag: string | undefined,
  running: readonly { readonly tag?: string | undefined }[],
): void {
  if (running.length > 0 && !tag)
    throw new Refusal(409, `One is running in this session already: another needs a ${field}.`)
  if (running.some((other) => other.tag === tag && tag))
    throw new Refusal(409, `The ${field} is in use in this session already: choose another.`)
}
