import { ServiceError } from './definition/errors.ts'
import { uuid } from './definition/query-functions.ts'
import type { ExecutionStatus } from './execution/execution-description.ts'
import type { HistoryEvent } from './execution/history.ts'
import type { StepFunctions } from './operations.ts'
import { type RequestReader, readRequest } from './request-reader.ts'

const STATUSES = ['RUNNING', 'SUCCEEDED', 'FAILED', 'TIMED_OUT', 'ABORTED', 'PENDING_REDRIVE'] as const

/** Creates the handler of AWS’s JSON 1.0 protocol. Unsupported operations are an UnknownOperationException. */
export function createStatesEndpoint(
  states: StepFunctions,
  random: () => number,
): (request: Request) => Promise<Response> {
  const operations: Readonly<Record<string, (request: RequestReader) => object>> = {
    StartExecution(request) {
      const { stateMachineArn, name, input } = request.take({ stateMachineArn: 'text!', name: 'text', input: 'text' })
      return states.startExecution({ stateMachineArn, ...given({ name, input }) })
    },
    StopExecution(request) {
      const { executionArn, error, cause } = request.take({ executionArn: 'text!', error: 'text', cause: 'text' })
      return states.stopExecution({ executionArn, ...given({ error, cause }) })
    },
    DescribeExecution: (request) => states.describeExecution(request.take({ executionArn: 'text!' })),
    DescribeStateMachine: (request) => states.describeStateMachine(request.take({ stateMachineArn: 'text!' })),
    RedriveExecution(request) {
      const { executionArn, clientToken } = request.take({ executionArn: 'text!', clientToken: 'text' })
      return states.redriveExecution({ executionArn, ...given({ clientToken }) })
    },
    GetExecutionHistory(request) {
      const { executionArn, reverseOrder, includeExecutionData, ...paging } = request.take({
        executionArn: 'text!',
        reverseOrder: 'boolean',
        includeExecutionData: 'boolean',
        maxResults: 'integer',
        nextToken: 'text',
      })
      const events = states.executionHistory({ executionArn })
      const { items, ...next } = page(reverseOrder ? events.toReversed() : events, paging, ({ id }) => String(id))
      return { events: includeExecutionData === false ? items.map(withoutData) : items, ...next }
    },
    ListExecutions(request) {
      const { stateMachineArn, statusFilter, ...paging } = request.take({
        stateMachineArn: 'text!',
        statusFilter: 'text',
        maxResults: 'integer',
        nextToken: 'text',
      })
      if (statusFilter !== undefined && !STATUSES.some((status) => status === statusFilter))
        throw new ServiceError('ValidationException', `statusFilter must be one of ${STATUSES.join(', ')}`)
      const filter = given({ statusFilter: statusFilter as ExecutionStatus | undefined })
      const executions = states.listExecutions({ stateMachineArn, ...filter })
      const { items, ...next } = page(executions, paging, ({ executionArn }) => executionArn)
      return { executions: items.map(summarize), ...next }
    },
  }

  return async (request) => {
    const respond = (status: number, body: object) =>
      new Response(JSON.stringify(toWire(body)), {
        status,
        headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amzn-requestid': uuid(random) },
      })
    try {
      const target = request.headers.get('x-amz-target') ?? ''
      const name = target.replace(/^AWSStepFunctions\./, '')
      const operation = target !== name && Object.hasOwn(operations, name) ? operations[name] : undefined
      if (request.method !== 'POST' || !operation)
        throw new ServiceError('UnknownOperationException', `There is no operation '${target}' here.`)
      return respond(200, operation(await readRequest(request)))
    } catch (error) {
      if (error instanceof ServiceError) return respond(400, { __type: error.name, message: error.message })
      return respond(500, { __type: 'InternalFailure', message: 'The request failed for an unexpected reason.' })
    }
  }
}

interface Paging {
  readonly maxResults: number | undefined
  readonly nextToken: string | undefined
}

/** Returns a page, which begins after its token’s item, so that new items move nothing. */
function page<T>(all: readonly T[], { maxResults, nextToken }: Paging, keyOf: (item: T) => string) {
  if (maxResults !== undefined && (maxResults < 0 || maxResults > 1000))
    throw new ServiceError('ValidationException', 'maxResults must be between 0 and 1000')
  const last = nextToken === undefined ? undefined : Buffer.from(nextToken, 'base64url').toString()
  const index = last === undefined ? -1 : all.findIndex((item) => keyOf(item) === last)
  if (last !== undefined && index < 0) throw new ServiceError('InvalidToken', `Invalid Token: '${nextToken}'`)
  const items = all.slice(index + 1, index + 1 + (maxResults || 100))
  const end = items.at(-1)
  const isLast = end === undefined || index + 1 + items.length >= all.length
  return isLast ? { items } : { items, nextToken: Buffer.from(keyOf(end)).toString('base64url') }
}

const DATA = new Set([
  'input',
  'inputDetails',
  'output',
  'outputDetails',
  'parameters',
  'assignedVariables',
  'assignedVariablesDetails',
])

const withoutData = (event: HistoryEvent): object =>
  Object.fromEntries(
    Object.entries(event).map(([field, value]) => [
      field,
      field.endsWith('EventDetails')
        ? Object.fromEntries(Object.entries(value).filter(([name]) => !DATA.has(name)))
        : value,
    ]),
  )

function summarize(execution: ReturnType<StepFunctions['describeExecution']>): object {
  const { executionArn, stateMachineArn, stateMachineVersionArn, name, status } = execution
  const { startDate, stopDate, redriveCount, redriveDate } = execution
  const optional = given({ stateMachineVersionArn, stopDate, redriveDate })
  return { executionArn, stateMachineArn, name, status, startDate, redriveCount, ...optional }
}

/** Removes undefined fields. */
function given<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> }
}

/** Converts dates to seconds since the epoch. */
function toWire(value: unknown): unknown {
  if (value instanceof Date) return value.getTime() / 1000
  if (Array.isArray(value)) return value.map(toWire)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, toWire(part)]))
}
