import type { Project, projectOperations } from '../../../lib/platform/contract/projects.ts'
import type { Handlers } from '../handler.ts'
import { Refusal } from '../http/refusal.ts'
import type { SandboxParts } from '../parts.ts'
import type { ProjectRecord } from '../state/records.ts'
import type { AllTransitions } from '../state/transitions.ts'
import type { Accounts } from './accounts.ts'

export function projectHandlers(
  parts: Pick<SandboxParts, 'store' | 'presence'> & {
    accounts: Accounts
    transitions: Pick<AllTransitions, 'projects'>
  },
): Handlers<keyof typeof projectOperations> {
  const { store, accounts, presence, transitions } = parts

  /** @throws {@link Refusal} with the status that the operation answers to an unknown project */
  function find(apiKey: string, unknown: 403 | 404): ProjectRecord {
    const project = store.projects.get(apiKey)
    if (!project) throw new Refusal(unknown, 'Project not found')
    return project
  }

  /** Disconnects all clients of a project's sessions. What runs in the sessions then stops as when everyone has left. */
  function disconnectClients(projectId: string): void {
    for (const connection of store.connections.find())
      if (store.sessions.get(connection.sessionId)?.projectId === projectId)
        presence.disconnect(connection, 'forceDisconnected')
  }

  return {
    createProject: ({ body: { name = '' } }) => showWithSecret(accounts.createProject(name)),
    setProjectStatus({ apiKey, body: { status } }) {
      const project = find(apiKey, 403)
      if (project.status === status) return showWithSecret(project)
      const changed = transitions.projects.move(apiKey, status)
      if (status === 'SUSPENDED') disconnectClients(apiKey)
      return showWithSecret(changed)
    },
    deleteProject({ apiKey }) {
      find(apiKey, 404)
      disconnectClients(apiKey)
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

/** Returns a project as its own credentials may see it: without its secret. */
export const showProject = ({ id, status, name, createdAt }: ProjectRecord): Project => ({
  id,
  status,
  name,
  environment: 'standard',
  createdAt,
})

const showWithSecret = (project: ProjectRecord) => ({ ...showProject(project), secret: project.secret })
