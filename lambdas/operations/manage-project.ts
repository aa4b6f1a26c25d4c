import { changeProject, deleteProject, makeProject } from '../../lib/operations/platform-project/managed-project.ts'
import { customResourceHandler } from '../middleware/custom-resource.ts'

/** The physical id while no project exists. Afterwards it is the project's key. */
const NEVER_MADE = 'never-made'
/** CloudFormation generates another physical id, from names, for a creation that it received no answer to. */
const KEY = /^\d+$/

export const handler = customResourceHandler(
  'manageProject',
  async (services, request, log) => {
    const done = (apiKey: string) => ({ physicalId: apiKey, data: { ApiKey: apiKey } })
    if (request.RequestType === 'Delete') {
      const { PhysicalResourceId: physicalId } = request
      const kept = await deleteProject(services, KEY.test(physicalId) ? physicalId : undefined)
      if (kept) log.warn('kept: the project’s secret does not hold the key of this project', { apiKey: kept })
      return done(physicalId)
    }
    const { Name: name, Status: status } = request.ResourceProperties
    const order = { name, status }
    if (request.RequestType === 'Create') return done((await makeProject(services, order)).id)
    return done((await changeProject(services, request.PhysicalResourceId, order)).id)
  },
  NEVER_MADE,
)
