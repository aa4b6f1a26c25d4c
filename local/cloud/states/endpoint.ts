import { z } from 'zod'
import { AwsError, createJsonService, type JsonInput, operation } from '../endpoint/aws-json.ts'
import { uuid } from './definition/query-functions.ts'
import type { HistoryEvent } from './execution/history.ts'
import type { StatesOperations } from './operations.ts'

const text = z.string()
const optionalText = text.exactOptional()
const paging = { maxResults: z.int().min(0).max(1000).optional(), nextToken: text.optional() }
const statusFilter = z
  .enum(['RUNNING', 'SUCCEEDED', 'FAILED', 'TIMED_OUT', 'ABORTED', 'PENDING_REDRIVE'])
  .exactOptional()

/** Creates the handler of AWS’s JSON 1.0 protocol. Unsupported operations are an UnknownOperationException. */
export function createStatesEndpoint(states: StatesOperations, random: () => number) {
  const operations = {
    StartExecution: operation(
      { stateMachineArn: text, name: optionalText, input: optionalText },
      states.startExecution,
    ),
    StopExecution: operation({ executionArn: text, error: optionalText, cause: optionalText }, states.stopExecution),
    DescribeExecution: operation({ executionArn: text }, states.describeExecution),
    DescribeStateMachine: operation({ stateMachineArn: text }, states.describeStateMachine),
    RedriveExecution: operation({ executionArn: text, clientToken: optionalText }, states.redriveExecution),
    GetExecutionHistory: operation(
      {
        executionArn: text,
        reverseOrder: z.boolean().optional(),
        includeExecutionData: z.boolean().default(true),
        ...paging,
      },
      ({ executionArn, reverseOrder, includeExecutionData, ...page }) => {
        const events = states.executionHistory({ executionArn })
        const { items, ...next } = pageOf(reverseOrder ? events.toReversed() : events, page, ({ id }) => String(id))
        return { events: includeExecutionData ? items : items.map(withoutData), ...next }
      },
    ),
    ListExecutions: operation(
      { stateMachineArn: text, statusFilter, ...paging },
      ({ maxResults, nextToken, ...of }) => {
        const executions = states.listExecutions(of)
        const { items, ...next } = pageOf(executions, { maxResults, nextToken }, ({ executionArn }) => executionArn)
        return { executions: items.map(summarize), ...next }
      },
    ),
  }
  const inSeconds = Object.entries(operations).map(([name, { takes, run }]) => {
    return [name, { takes, run: (input: JsonInput) => toWire(run(input)) as object }]
  })
  return createJsonService(Object.fromEntries(inSeconds), { version: '1.0', newRequestId: () => uuid(random) })
}

interface Paging {
  readonly maxResults?: number | undefined
  readonly nextToken?: string | undefined
}

/** Returns a page, which begins after its token’s item, so that new items move nothing. */
function pageOf<T>(all: readonly T[], { maxResults, nextToken }: Paging, keyOf: (item: T) => string) {
  const last = nextToken === undefined ? undefined : Buffer.from(nextToken, 'base64url').toString()
  const index = last === undefined ? -1 : all.findIndex((item) => keyOf(item) === last)
  if (last !== undefined && index < 0) throw new AwsError('InvalidToken', `Invalid Token: '${nextToken}'`)
  const items = all.slice(index + 1, index + 1 + (maxResults || 100))
  const end = items.at(-1)
  const isLast = end === undefined || index + 1 + items.length >= all.length
  return isLast ? { items } : { items, nextToken: Buffer.from(keyOf(end)).toString('base64url') }
}

const DATA = /^(input|output|parameters|assignedVariables)(Details)?$/

const withoutData = (event: HistoryEvent): object =>
  Object.fromEntries(
    Object.entries(event).map(([field, value]) => [
      field,
      field.endsWith('EventDetails')
        ? Object.fromEntries(Object.entries(value).filter(([name]) => !DATA.test(name)))
        : value,
    ]),
  )

/** Returns the members of an execution that a list has. */
function summarize(execution: ReturnType<StatesOperations['describeExecution']>): object {
  const { executionArn, stateMachineArn, stateMachineVersionArn, name, status } = execution
  const { startDate, stopDate, redriveCount, redriveDate } = execution
  const optional = { stateMachineVersionArn, stopDate, redriveDate } // JSON omits what is undefined
  return { executionArn, stateMachineArn, name, status, startDate, redriveCount, ...optional }
}

/** Converts dates to seconds since the epoch. */
function toWire(value: unknown): unknown {
  if (value instanceof Date) return value.getTime() / 1000
  if (Array.isArray(value)) return value.map(toWire)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, toWire(part)]))
}
