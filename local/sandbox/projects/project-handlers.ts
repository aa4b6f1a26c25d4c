import type { Project, projectOperations } from '../../../lib/platform/contract/projects.ts'
import type { Handlers, Platform } from '../handler.ts'
import { Refusal } from '../http/refusal.ts'
import type { ProjectRecord } from '../state/records.ts'

export function projectHandlers(platform: Platform): Handlers<keyof typeof projectOperations> {
  const { store, accounts, attendance, transitions } = platform

  /** @throws Refusal with what the operation answers to an unknown project */
  function find(apiKey: string, unknown: 403 | 404): ProjectRecord {
    const project = store.projects.get(apiKey)
    if (!project) throw new Refusal(unknown, 'Project not found')
    return project
  }

  /** A session that cannot be used has no clients; what runs in it ends as when the last one has left. */
  function sendClientsAway(projectId: string): void {
    for (const connection of store.connections.find())
      if (store.sessions.get(connection.sessionId)?.projectId === projectId)
        attendance.disconnect(connection, 'forceDisconnected')
  }

  return {
    createProject: ({ body: { name = '' } }) => showWithSecret(accounts.createProject(name)),
    setProjectStatus({ apiKey, body: { status } }) {
      const project = find(apiKey, 403)
      if (project.status === status) return showWithSecret(project)
      const changed = transitions.projects.move(apiKey, status)
      if (status === 'SUSPENDED') sendClientsAway(apiKey)
      return showWithSecret(changed)
    },
    deleteProject({ apiKey }) {
      find(apiKey, 404)
      sendClientsAway(apiKey)
      store.projects.remove(apiKey)
      return undefined
    },
    getProject: ({ apiKey }) => showWithSecret(find(apiKey, 404)),
    listProjects: () => store.projects.find().map(showWithSecret),
    refreshSecret({ apiKey }) {
      find(apiKey, 404)
      return showWithSecret(accounts.refreshSecret(apiKey))
    },
  }
}

/** A project as its own credentials may see it: without its secret. */
export const showProject = ({ id, status, name, createdAt }: ProjectRecord): Project => ({
  id,
  status,
  name,
  environment: 'standard',
  createdAt,
})

const showWithSecret = (project: ProjectRecord) => ({ ...showProject(project), secret: project.secret })
