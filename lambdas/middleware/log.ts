import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics'
import type { Context } from 'aws-lambda'
import type { Services } from '../../lib/services.ts'
import { names } from '../../lib/show/document/fields/names.ts'
import { METRICS_NAMESPACE, type Measured, type MetricName, metrics } from '../../lib/tasks/metrics.ts'
import { type Write, WrittenLogger } from './written-logger.ts'

/** What a function says while it works: a message of a few fixed words, and what it is about as members. */
export type Log = Pick<WrittenLogger, 'debug' | 'info' | 'warn' | 'error'>

export interface FunctionLog {
  readonly log: Log
  /** Adds what this invocation says about how well shows go. */
  readonly note: (figures: Measured) => void
  /** Writes one line for each invocation, and what was noted of it. */
  readonly middleware: LogMiddleware
}

/** For any function, whatever it is called with. */
interface LogMiddleware {
  before(request: { event: unknown; context: Context }): void
  after(request?: { response?: unknown }): void
  onError(request: { error: Error | null | undefined }): void
}

export interface LogOptions {
  /** Of the task, or `api`. */
  readonly name: string
  readonly services: Services
  readonly write: Write
}

/** Read anew with each line: simulations and tests put another console in the place of the real one. */
export const toConsole: Write = (line) => console.log(line)

/** Where Lambda takes lines as they are; from the console it would wrap them into its own. */
export const toStandardOutput: Write = (line) => void process.stdout.write(`${line}\n`)

/**
 * The log of one function. Everything that it writes passes through one place, which takes the values of secrets out; events
 * and results are never written, so that nobody has to trust that place alone.
 */
export function createLog({ name, services, write }: LogOptions): FunctionLog {
  const { clock, secretValues, leftOutValues } = services
  const writeClean: Write = (line) => write(secretValues.removeFrom(line))
  const log = new WrittenLogger({ now: clock.now, write: writeClean })
  const measured = new Metrics({ namespace: METRICS_NAMESPACE })
  let began = 0

  const note = (figures: Measured) => {
    for (const [figure, value] of Object.entries(figures))
      measured.addMetric(names.substitution(figure), MetricUnit[metrics[figure as MetricName].unit], value)
  }
  const writeFigures = () => {
    if (!measured.hasStoredMetrics()) return
    const { _aws, ...rest } = measured.serializeMetrics()
    measured.clearMetrics()
    writeClean(JSON.stringify({ _aws: { ..._aws, Timestamp: clock.now() }, ...rest }))
  }

  const logLeftOut = () => {
    for (const place of leftOutValues.take()) {
      log.warn('left out of an answer', { ...place })
      note({ valuesUnread: place.count })
    }
  }

  return {
    log,
    note,
    middleware: {
      before({ event, context }) {
        began = clock.now()
        log.resetKeys()
        log.addContext(context)
        log.appendKeys({ task: name, ...idsIn(event) })
      },
      after({ response } = {}) {
        logLeftOut()
        const status = text(response, 'statusCode')
        log.info('done', { milliseconds: clock.now() - began, ...(status !== undefined && { status }) })
        writeFigures()
      },
      onError({ error }) {
        if (!error) return
        logLeftOut()
        clean(error, secretValues.removeFrom)
        log.error('failed', { milliseconds: clock.now() - began, error })
        if (error.name === 'PlatformAuthError') note({ authenticationFailures: 1 })
        writeFigures()
      },
    },
  }
}

/** Ids that an event carries: a machine's input, a request of the API with its caller, or an event of a bus. */
function idsIn(event: unknown): Record<string, string> {
  const { showId, execution, request, pathParameters, detail, routeKey, requestContext } = (event ?? {}) as Record<
    string,
    never
  >
  const claims = text(text(text(requestContext, 'authorizer'), 'jwt'), 'claims')
  const ids = {
    route: routeKey,
    caller: text(claims, 'sub'),
    apiRequestId: text(requestContext, 'requestId'),
    archiveId: text(pathParameters, 'archiveId'),
    showId: showId ?? text(request, 'showId') ?? text(pathParameters, 'id') ?? text(detail, 'showId'),
    execution: execution ?? text(detail, 'executionArn'),
  }
  return Object.fromEntries(Object.entries(ids).filter(([, id]) => typeof id === 'string')) as Record<string, string>
}

const text = (holder: unknown, member: string): unknown => (holder as Record<string, unknown> | undefined)?.[member]

/** Lambda writes the error once more by itself, and Step Functions keeps it. */
function clean(error: unknown, remove: (text: string) => string): void {
  if (!(error instanceof Error)) return
  const { message, stack } = error
  if (remove(message) !== message) error.message = remove(message)
  if (stack && remove(stack) !== stack) error.stack = remove(stack)
  clean(error.cause, remove)
}
