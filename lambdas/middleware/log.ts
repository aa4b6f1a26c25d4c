import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics'
import type { Context } from 'aws-lambda'
import type { Services } from '../../lib/services.ts'
import { names } from '../../lib/show/document/fields/names.ts'
import { METRICS_NAMESPACE, type Measured, type MetricName, metrics } from '../../lib/tasks/metrics.ts'
import { type WriteLine, WrittenLogger } from './written-logger.ts'

/** The log of a function. A message has a few fixed words; its details are members. */
export type Log = Pick<WrittenLogger, 'debug' | 'info' | 'warn' | 'error'>

/** Options of {@link createLog}. */
export interface LogOptions {
  readonly name: string
  readonly services: Services
  readonly write: WriteLine
}

/** Writes to the current console, which simulations and tests replace. */
export const toConsole: WriteLine = (line) => console.log(line)

/** Writes to standard output, because Lambda wraps lines of the console. */
export const toStandardOutput: WriteLine = (line) => void process.stdout.write(`${line}\n`)

/** Creates the log of one function, which removes secrets from every line and writes neither events nor results. */
export function createLog({ name, services, write }: LogOptions) {
  const { clock, secretValues, leftOutValues } = services
  const writeClean: WriteLine = (line) => write(secretValues.removeFrom(line))
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
    /** Writes one line for each invocation, and its metrics. */
    middleware: {
      before({ event, context }: { event: unknown; context: Context }) {
        began = clock.now()
        log.resetKeys()
        log.addContext(context)
        log.appendKeys({ task: name, ...idsIn(event) })
      },
      after({ response }: { response?: unknown } = {}) {
        logLeftOut()
        const status = text(response, 'statusCode')
        log.info('done', { milliseconds: clock.now() - began, ...(status !== undefined && { status }) })
        writeFigures()
      },
      onError({ error }: { error: Error | null | undefined }) {
        if (!error) return
        logLeftOut()
        clean(error, secretValues.removeFrom)
        const milliseconds = clock.now() - began
        if (isExpected(error)) log.info('not yet', { milliseconds, reason: error.message })
        else log.error('failed', { milliseconds, error })
        if (error.name === 'PlatformAuthError') note({ authenticationFailures: 1 })
        writeFigures()
      },
    },
  }
}

/** Returns the ids in an event: the input of a machine, a request of the API, or an event of a bus. */
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

/** True for an error that a retry expects, see `EventNotRecordedError`. */
const isExpected = (error: Error): boolean => text(error, 'isExpected') === true

/** Removes secrets from an error, because Lambda writes it again and Step Functions keeps it. */
function clean(error: unknown, remove: (text: string) => string): void {
  if (!(error instanceof Error)) return
  const { message, stack } = error
  if (remove(message) !== message) error.message = remove(message)
  if (stack && remove(stack) !== stack) error.stack = remove(stack)
  clean(error.cause, remove)
}
