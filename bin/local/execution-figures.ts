import { GetExecutionHistoryCommand, type HistoryEvent, SFNClient } from '@aws-sdk/client-sfn'
import type { AwsAccess } from './aws-access.ts'

/** The size of an execution and its children. */
export interface ExecutionFigures {
  readonly historyEvents: number
  /** Number of states entered. */
  readonly transitions: number
  /** Number of function calls, including retries. */
  readonly invocations: number
}

/** Sums the histories of an execution and of the executions that it started and awaited. */
export async function figuresOf(executionArn: string, access: AwsAccess): Promise<ExecutionFigures> {
  const client = new SFNClient(access)
  try {
    return await sum(client, executionArn)
  } finally {
    client.destroy()
  }
}

async function sum(client: SFNClient, executionArn: string): Promise<ExecutionFigures> {
  const history = await readHistory(client, executionArn)
  const count = (matches: (type: string) => boolean) => history.filter(({ type }) => matches(type ?? '')).length
  const own = {
    historyEvents: history.length,
    transitions: count((type) => type.endsWith('StateEntered')),
    invocations: count((type) => type === 'LambdaFunctionScheduled'),
  }
  const children = await Promise.all(childrenIn(history).map((arn) => sum(client, arn)))
  return children.reduce(
    (total, child) => ({
      historyEvents: total.historyEvents + child.historyEvents,
      transitions: total.transitions + child.transitions,
      invocations: total.invocations + child.invocations,
    }),
    own,
  )
}

async function readHistory(client: SFNClient, executionArn: string): Promise<HistoryEvent[]> {
  const events: HistoryEvent[] = []
  let nextToken: string | undefined
  do {
    const page = await client.send(new GetExecutionHistoryCommand({ executionArn, maxResults: 1000, nextToken }))
    events.push(...(page.events ?? []))
    nextToken = page.nextToken
  } while (nextToken)
  return events
}

const childrenIn = (history: readonly HistoryEvent[]) =>
  history.flatMap(({ taskSubmittedEventDetails: details }) =>
    details?.resourceType === 'states' ? (JSON.parse(details.output ?? '{}').ExecutionArn as string) : [],
  )
