import { changeProject, deleteProject, makeProject } from '../lib/services/managed-project.ts'
import type { Services } from '../lib/services/services.ts'
import type { TaskInput } from '../lib/workflow/tasks/tasks.ts'
import { customResourceHandler } from './middleware/custom-resource.ts'
import type { Log } from './middleware/log.ts'

/** The physical id of a project that was never made; that of one that was is its key. */
const NEVER_MADE = 'never-made'

/** Returns the project's key, by which the template knows it. */
export async function manageProject(
  request: TaskInput<'manageProject'>,
  services: Services,
  log: Pick<Log, 'warn'>,
): Promise<string> {
  if (request.RequestType === 'Delete') {
    const { PhysicalResourceId: apiKey } = request
    const kept = await deleteProject(services, apiKey === NEVER_MADE ? undefined : apiKey)
    if (kept) log.warn('kept: the project’s secret does not hold the key of this project', { apiKey: kept })
    return apiKey
  }
  const { Name: name, Status: status } = request.ResourceProperties
  const order = { name, status }
  if (request.RequestType === 'Create') return (await makeProject(services, order)).id
  return (await changeProject(services, request.PhysicalResourceId, order)).id
}

export const handler = customResourceHandler('manageProject', {
  neverMade: NEVER_MADE,
  async carryOut(...given) {
    const apiKey = await manageProject(...given)
    return { physicalId: apiKey, data: { ApiKey: apiKey } }
  },
})
