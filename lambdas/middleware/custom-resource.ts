import { failure, type StackAnswer } from '../../lib/aws/stack-answers.ts'
import type { Services, TaskLog } from '../../lib/services.ts'
import type { TaskInput, TaskName, TaskOutput } from '../../lib/tasks/tasks.ts'
import { type TaskHandler, taskHandler } from './task.ts'

export type CustomResourceTask = Extract<TaskName, 'manageProject' | 'deleteUploadKeys'>

type Handle<Name extends CustomResourceTask> = (
  services: Services,
  request: TaskInput<Name>,
  log: TaskLog,
) => Promise<Handled>

export interface Handled {
  readonly physicalId: string
  readonly data?: StackAnswer['Data']
}

/**
 * Creates the handler of a function that CloudFormation calls for a custom resource. It answers CloudFormation in any
 * case, because CloudFormation would otherwise wait for an hour.
 * @param neverMade physical id while the resource does not exist
 */
export function customResourceHandler<Name extends CustomResourceTask>(
  name: Name,
  handle: Handle<Name>,
  neverMade: string,
): TaskHandler {
  const answer = async ({ stackAnswers }: Services, event: unknown, result: Result): Promise<TaskOutput<Name>> => {
    const read = (member: string, otherwise = '') => textOf(event, member) ?? otherwise
    const [StackId, RequestId, LogicalResourceId] = [read('StackId'), read('RequestId'), read('LogicalResourceId')]
    const PhysicalResourceId = read('PhysicalResourceId', neverMade)
    await stackAnswers(read('ResponseURL'), { PhysicalResourceId, StackId, RequestId, LogicalResourceId, ...result })
    return { status: result.Status, ...('Reason' in result && { reason: result.Reason }) } as TaskOutput<Name>
  }
  return taskHandler(
    name,
    async (services, request, log) => {
      const result = await handle(services, request, log).then(succeeded, (error: Error) => {
        log.error('failed', { error })
        return failure(error)
      })
      return answer(services, request, result)
    },
    (event, error, services) => {
      if (textOf(event, 'ResponseURL') === undefined) throw error
      return answer(services, event, failure(error))
    },
  )
}

function textOf(event: unknown, member: string): string | undefined {
  const value = (event as Record<string, unknown> | null)?.[member]
  return typeof value === 'string' ? value : undefined
}

type Result = ReturnType<typeof failure> | ReturnType<typeof succeeded>

const succeeded = ({ physicalId: PhysicalResourceId, data }: Handled) => ({
  Status: 'SUCCESS' as const,
  PhysicalResourceId,
  ...(data && { Data: data }),
})
