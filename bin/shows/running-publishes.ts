import { GetExecutionHistoryCommand, paginateListExecutions, SFNClient } from '@aws-sdk/client-sfn'
import type { AwsAccess } from '../local/aws-access.ts'

/** Reads which publishes run on the local cloud. */
export interface RunningPublishes {
  /**
   * Returns the last entered state of each publish that runs, by the id of its archive.
   * @throws Error when Step Functions cannot be read
   */
  statesOf(archiveIds: readonly string[]): Promise<ReadonlyMap<string, string>>
}

/** Newest events of a history in which the last entered state is looked for. */
const MAX_EVENTS = 50

export function createRunningPublishes(access: AwsAccess, stateMachineArn: string): RunningPublishes & Disposable {
  const client = new SFNClient(access)
  const lastStateOf = async (executionArn: string) => {
    const newest = { executionArn, reverseOrder: true, maxResults: MAX_EVENTS, includeExecutionData: false }
    const { events = [] } = await client.send(new GetExecutionHistoryCommand(newest))
    return events.find(({ stateEnteredEventDetails }) => stateEnteredEventDetails)?.stateEnteredEventDetails?.name
  }
  return {
    async statesOf(archiveIds) {
      const found = new Map<string, string>()
      for await (const { executions = [] } of paginateListExecutions(
        { client },
        { stateMachineArn, statusFilter: 'RUNNING' },
      ))
        for (const { name = '', executionArn = '' } of executions) {
          const archiveId = archiveIds.find((id) => name.startsWith(`${id}-`))
          if (archiveId) found.set(archiveId, (await lastStateOf(executionArn)) ?? 'Start')
        }
      return found
    },
    [Symbol.dispose]: () => client.destroy(),
  }
}
