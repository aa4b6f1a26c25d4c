import { Refusal } from '../http/refusal.ts'
import type { ProjectRecord, SessionRecord } from '../state/records.ts'
import type { Store } from '../state/store.ts'

/**
 * Returns the project of a session that clients may join.
 * @throws {@link Refusal} 403 when the project is deleted or suspended
 */
export function admitClient(store: Store, { projectId }: SessionRecord): ProjectRecord {
  const project = store.projects.get(projectId)
  if (!project) throw new Refusal(403, 'The session’s project has been deleted.')
  if (project.status === 'SUSPENDED') throw new Refusal(403, 'The session’s project is suspended: clients cannot join.')
  return project
}
