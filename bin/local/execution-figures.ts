import { type HistoryEvent, paginateGetExecutionHistory, SFNClient } from '@aws-sdk/client-sfn'
import { type AwsAccess, disposable } from './aws-access.ts'

/** Sums the histories of an execution and of the executions that it started and awaited. Retries count as function calls. */
export async function figuresOf(executionArn: string, access: AwsAccess) {
  using client = disposable(new SFNClient(access))
  const types = (await historyOf(client, executionArn)).map(({ type = '' }) => type)
  return {
    historyEvents: types.length,
    transitions: types.filter((type) => type.endsWith('StateEntered')).length,
    invocations: types.filter((type) => type === 'LambdaFunctionScheduled').length,
  }
}

async function historyOf(client: SFNClient, executionArn: string): Promise<HistoryEvent[]> {
  const own: HistoryEvent[] = []
  for await (const { events = [] } of paginateGetExecutionHistory({ client, pageSize: 1_000 }, { executionArn }))
    own.push(...events)
  const children = await Promise.all(childrenIn(own).map((arn) => historyOf(client, arn)))
  return [...own, ...children.flat()]
}

const childrenIn = (history: readonly HistoryEvent[]) =>
  history.flatMap(({ taskSubmittedEventDetails: details }) =>
    details?.resourceType === 'states' ? (JSON.parse(details.output ?? '{}').ExecutionArn as string) : [],
  )
