import { AwsError } from '../endpoint/aws-json.ts'
import { functionVersion, isFunctionArn, parseMachineArn } from './arns.ts'
import { DefinitionError, StatesError } from './definition/errors.ts'
import { type StatePayload, toPayload } from './execution/payload.ts'
import { createRequestIds, sdkMetadata } from './sdk-metadata.ts'

/** The events of a task. A Lambda named by its ARN has its own, service integrations share one set. */
export type TaskKind = { readonly title: string } & (
  | { readonly function: string }
  | { readonly resourceType: string; readonly resource: string; readonly region: string }
)

export interface TaskOptions {
  /** Returns milliseconds since 1970 for dates in answers of services. */
  now(): number
  readonly region: string
  readonly account: string
  invoke(functionArn: string, payload: unknown, signal: AbortSignal): Promise<unknown>
  /** Puts events on a bus; takes and returns what EventBridge's PutEvents does. */
  putEvents?(request: { Entries: readonly Readonly<Record<string, unknown>>[] }): Promise<PutEventsResult>
  /** Starts a child execution. @throws AwsError as StartExecution does */
  startChild(request: { stateMachineArn: string; name?: string; input: string }): ChildExecution
}

export interface PutEventsResult {
  readonly FailedEntryCount: number
  readonly Entries: readonly Readonly<Record<string, unknown>>[]
}

export interface ChildExecution {
  readonly executionArn: string
  readonly startDate: Date
  /** Resolves when it has ended. */
  readonly ended: Promise<ChildResult>
  stop(): void
}

/**
 * The answer of DescribeExecution with capitalized names, and Input and Output as JSON values: the result of `.sync:2`.
 */
export type ChildResult = Readonly<Record<string, unknown>> & { readonly Status: string }

export interface TaskCall {
  readonly arguments: unknown
  readonly context: Readonly<Record<string, unknown>>
  readonly signal: AbortSignal
  /** Called when the job that the task awaits has started. */
  submitted(output: StatePayload): void
}

export interface TaskResource {
  readonly kind: TaskKind
  /** @throws StatesError with the task’s error */
  run(call: TaskCall): Promise<unknown>
}

export type TaskResources = ReturnType<typeof createTaskResources>

/**
 * Creates the supported task resources: a Lambda by its ARN, `lambda:invoke`, `startExecution` (also `.sync:2`) and
 * `events:putEvents`.
 */
export function createTaskResources(options: TaskOptions) {
  const answer = createAnswers(options)
  const integrations: Readonly<Record<string, Integration>> = {
    'arn:aws:states:::lambda:invoke': lambdaInvoke(options, answer),
    'arn:aws:states:::states:startExecution': startExecution(options, answer),
    'arn:aws:states:::states:startExecution.sync:2': runExecution(options, answer),
    ...(options.putEvents && { 'arn:aws:states:::events:putEvents': putEvents(options.putEvents, options.region) }),
  }
  const integration = (resource: string) => (Object.hasOwn(integrations, resource) ? integrations[resource] : undefined)
  return {
    /** @throws DefinitionError for an unsupported resource or argument */
    check(resource: string, args: unknown): void {
      if (isFunctionArn(resource)) return
      const found = integration(resource)
      if (!found) throw new DefinitionError(`field 'Resource' is not implemented here: '${resource}'`)
      const problem = args !== null && typeof args === 'object' ? problemWith(args, found.takes) : undefined
      if (problem) throw new DefinitionError(`field 'Arguments' ${problem}`)
    },
    find: (resource: string) => integration(resource) ?? lambdaByArn(resource, options),
  }
}

/** Completes the result of a call with the metadata of the answer that Step Functions got. */
type Answer = <Result extends object>(
  body: unknown,
  result: Result,
  headers: Readonly<Record<string, string>>,
) => Result

function createAnswers({ now }: TaskOptions): Answer {
  const nextId = createRequestIds()
  return (body, result, headers) => ({
    ...result,
    ...sdkMetadata(JSON.stringify(body), { now: now(), requestId: nextId(), headers }),
  })
}

interface Integration extends TaskResource {
  /** The names of its arguments; true for those that must be given. */
  readonly takes: Readonly<Record<string, boolean>>
}

function problemWith(args: object, takes: Integration['takes']): string | undefined {
  const unknown = Object.keys(args).find((name) => !Object.hasOwn(takes, name))
  if (unknown !== undefined) return `has '${unknown}', which is not implemented here`
  const missing = Object.keys(takes).find((name) => takes[name] && !Object.hasOwn(args, name))
  return missing === undefined ? undefined : `lacks '${missing}'`
}

function argumentsOf({ arguments: args }: TaskCall, takes: Integration['takes']): Record<string, unknown> {
  const problem = args !== null && typeof args === 'object' ? problemWith(args, takes) : 'must be an object'
  if (problem) throw new StatesError('States.Runtime', `The field 'Arguments' ${problem}.`)
  return args as Record<string, unknown>
}

const lambdaByArn = (arn: string, { invoke }: TaskOptions): TaskResource => ({
  kind: { title: arn, function: arn },
  run: ({ arguments: payload, signal }) => invoke(arn, payload, signal).catch(rethrowFunctionError),
})

function lambdaInvoke({ region, account, invoke }: TaskOptions, answer: Answer): Integration {
  const takes = { FunctionName: true, Payload: false }
  return {
    takes,
    kind: { title: 'lambda', resourceType: 'lambda', resource: 'invoke', region },
    async run(call) {
      const { FunctionName: name, Payload: payload = {} } = argumentsOf(call, takes)
      const arn = String(name).startsWith('arn:')
        ? String(name)
        : `arn:aws:lambda:${region}:${account}:function:${name}`
      if (!isFunctionArn(arn)) throw new StatesError('States.Runtime', `'${arn}' is not the ARN of a Lambda function.`)
      const result = (await invoke(arn, payload, call.signal).catch(rethrowFunctionError)) ?? null
      const version = functionVersion(arn)
      const headers = {
        'X-Amz-Executed-Version': version,
        'x-amzn-Remapped-Content-Length': '0',
        Connection: 'keep-alive',
        'Content-Type': 'application/json',
      }
      return answer(result, { ExecutedVersion: version, Payload: result, StatusCode: 200 }, headers)
    },
  }
}

/**
 * A function's error keeps its name; its cause is the JSON text Lambda answers with, without the stack.
 * Errors of the service itself (`Lambda.…`) have their message for a cause.
 */
function rethrowFunctionError(error: unknown): never {
  const { name: errorType, message: errorMessage } = error instanceof Error ? error : new Error(String(error))
  const cause = errorType.startsWith('Lambda.') ? errorMessage : JSON.stringify({ errorType, errorMessage })
  throw new StatesError(errorType, cause)
}

const startHeaders = { connection: 'keep-alive', 'Content-Type': 'application/x-amz-json-1.0' }
const startTakes = { StateMachineArn: true, Input: false, Name: false }

function startAs({ startChild }: TaskOptions, call: TaskCall): Promise<ChildExecution> {
  const { StateMachineArn, Input, Name } = argumentsOf(call, startTakes)
  const name = Name === undefined ? {} : { name: String(Name) }
  const input = typeof Input === 'string' ? Input : JSON.stringify(Input ?? {})
  return asTaskError(() => startChild({ stateMachineArn: String(StateMachineArn), ...name, input }))
}

/** Starts an execution that continues independently of the one that started it. */
function startExecution(options: TaskOptions, answer: Answer): Integration {
  return {
    takes: startTakes,
    kind: { title: 'states', resourceType: 'states', resource: 'startExecution', region: options.region },
    async run(call) {
      return started(await startAs(options, call), answer)
    },
  }
}

function started({ executionArn, startDate }: ChildExecution, answer: Answer): object {
  const body = { executionArn, startDate: startDate.getTime() / 1000 }
  return answer(body, { ExecutionArn: executionArn, StartDate: startDate.getTime() }, startHeaders)
}

function runExecution(options: TaskOptions, answer: Answer): Integration {
  return {
    takes: startTakes,
    kind: { title: 'states', resourceType: 'states', resource: 'startExecution.sync:2', region: options.region },
    async run(call) {
      const child = await startAs(options, call)
      call.submitted(toPayload(started(child, answer)))
      call.signal.addEventListener('abort', child.stop, { once: true })
      const result = await child.ended
      call.signal.removeEventListener('abort', child.stop)
      if (result.Status !== 'SUCCEEDED') throw new StatesError('States.TaskFailed', JSON.stringify(result))
      return result
    },
  }
}

async function asTaskError<T>(act: () => T): Promise<T> {
  try {
    return act()
  } catch (error) {
    if (!(error instanceof AwsError)) throw error
    const cause = `${error.message} (Service: AWSStepFunctions; Status Code: 400; Error Code: ${error.name})`
    throw new StatesError(`StepFunctions.${error.name}Exception`, cause)
  }
}

/** Step Functions adds the machine's and the execution's ARN to the resources of every event it puts. */
function putEvents(put: NonNullable<TaskOptions['putEvents']>, region: string): Integration {
  const takes = { Entries: true }
  return {
    takes,
    kind: { title: 'events', resourceType: 'events', resource: 'putEvents', region },
    async run(call) {
      const { Entries: entries } = argumentsOf(call, takes)
      if (!Array.isArray(entries))
        throw new StatesError('States.Runtime', `The field 'Arguments/Entries' must be a list.`)
      const { StateMachine, Execution } = call.context as Record<'StateMachine' | 'Execution', { Id: string }>
      const own = [parseMachineArn(StateMachine.Id).unqualified, Execution.Id]
      const result = await put({
        Entries: entries.map((entry) => ({
          ...entry,
          ...(typeof entry.Detail === 'object' && { Detail: JSON.stringify(entry.Detail) }),
          Resources: [...(entry.Resources ?? []), ...own],
        })),
      }).catch((error: unknown) => {
        const { name, message } = error instanceof Error ? error : new Error(String(error))
        throw new StatesError(`EventBridge.${name}`, message)
      })
      if (result.FailedEntryCount > 0) throw new StatesError('EventBridge.FailedEntry', JSON.stringify(result))
      return result
    },
  }
}
