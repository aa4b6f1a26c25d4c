import { changeProject, deleteProject, makeProject } from '../lib/services/managed-project.ts'
import type { Services } from '../lib/services/services.ts'
import type { TaskInput, TaskOutput } from '../lib/workflow/tasks/tasks.ts'
import type { Log } from './middleware/log.ts'
import { taskHandler } from './middleware/task.ts'

/** The physical id of a project that was never made; that of one that was is its key. */
const NEVER_MADE = 'never-made'
/** CloudFormation takes 4,096 bytes in all. */
const LONGEST_REASON = 800

export async function manageProject(
  request: TaskInput<'manageProject'>,
  services: Services,
  log: Pick<Log, 'error'>,
): Promise<TaskOutput<'manageProject'>> {
  const { ResponseURL, StackId, RequestId, LogicalResourceId } = request
  const identity = { StackId, RequestId, LogicalResourceId }
  const answer = await carryOut(request, services).catch((error: Error) => {
    log.error('failed', { error })
    const formerId = 'PhysicalResourceId' in request ? request.PhysicalResourceId : NEVER_MADE
    return { Status: 'FAILED' as const, Reason: error.message.slice(0, LONGEST_REASON), PhysicalResourceId: formerId }
  })
  await services.stackAnswers(ResponseURL, { ...identity, ...answer })
  return { status: answer.Status, ...('Reason' in answer && { reason: answer.Reason }) }
}

async function carryOut(request: TaskInput<'manageProject'>, services: Services) {
  const { Name: name, Status: status } = request.ResourceProperties
  const done = (apiKey: string) => ({
    Status: 'SUCCESS' as const,
    PhysicalResourceId: apiKey,
    Data: { ApiKey: apiKey },
  })
  if (request.RequestType === 'Create') return done((await makeProject(services, { name, status })).id)
  const { PhysicalResourceId: apiKey } = request
  if (request.RequestType === 'Update') return done((await changeProject(services, apiKey, { name, status })).id)
  await deleteProject(services, apiKey === NEVER_MADE ? undefined : apiKey)
  return done(apiKey)
}

export const handler = taskHandler('manageProject', manageProject)
