import type { Operation } from '../contract/operation.ts'
import { type OperationName, operations } from '../contract/operations/operations.ts'
import { callOperation, type PlatformCallOptions } from './calls.ts'
import { PlatformAuthError, PlatformError, PlatformNotFoundError, PlatformRequestError } from './errors.ts'
import { createInsights, type Insights } from './insights/insights.ts'
import type { QueryInsights } from './insights/insights-queries.ts'
import type { ArchiveMethods } from './methods/archive-methods.ts'
import type { BroadcastMethods } from './methods/broadcast-methods.ts'
import type { CallMethods } from './methods/call-methods.ts'
import type { ComposerMethods } from './methods/composer-methods.ts'
import type { InsightsMethods } from './methods/insights-methods.ts'
import type { ListIterators } from './methods/list-iterators.ts'
import type { ParticipantMethods } from './methods/participant-methods.ts'
import type { ProjectMethods } from './methods/project-methods.ts'
import type { SessionMethods } from './methods/session-methods.ts'
import type { StreamMethods } from './methods/stream-methods.ts'
import type { UploadTargetMethods } from './methods/upload-target-methods.ts'
import { checkOptions, type PlatformClientOptions } from './options.ts'
import { eachItem, isList } from './pages.ts'

/**
 * A client of the video platform, with one method per operation.
 *
 * Every method may also throw errors that its own documentation does not list:
 * - {@link PlatformRequestError} before it sends a request with an invalid argument or without credentials
 * - {@link PlatformThrottledError} after too many calls (429)
 * - {@link PlatformUnavailableError} if the platform cannot be reached, fails (5xx), or does not answer within the timeout
 * - {@link PlatformResponseError} if an answer cannot be parsed
 */
export interface PlatformClient
  extends ArchiveMethods,
    BroadcastMethods,
    CallMethods,
    ComposerMethods,
    InsightsMethods,
    ParticipantMethods,
    ProjectMethods,
    SessionMethods,
    StreamMethods,
    UploadTargetMethods {
  /** Iterates over all pages of a list. */
  readonly each: ListIterators
  /** Typed queries of Insights. `queryInsights` sends any query. */
  readonly insights: Insights
}

type Arguments = Readonly<Record<string, unknown>>

/**
 * Creates a client of the video platform.
 *
 * Each attempt has a new token and ends within its timeout. Throttled and unavailable calls are repeated if that does no
 * harm. An operation that creates something is repeated only if the platform did not receive the attempt, or if the call
 * has the option `adopt`. A method rejects with a {@link PlatformError}, or with the reason of its signal.
 * @throws TypeError if an option is invalid
 * @example
 * ```ts
 * const client = createPlatformClient({
 *   baseUrl: 'https://platform.example.com',
 *   apiKey: process.env.PLATFORM_API_KEY ?? '',
 *   apiSecret: process.env.PLATFORM_API_SECRET ?? '',
 * })
 * ```
 */
export function createPlatformClient(options: PlatformClientOptions): PlatformClient {
  const settings = checkOptions(options)
  const call =
    (name: OperationName) =>
    (request: Arguments = {}, callOptions: PlatformCallOptions = {}) =>
      callOperation(settings, name, operations[name], request, callOptions)
  const methods = Object.entries<Operation>(operations).map(
    ([name, operation]) => [name, operation, call(name as OperationName)] as const,
  )
  const each = methods
    .filter(([, operation]) => isList(operation))
    .map(([name, operation, method]) => {
      const iterate = (request?: Arguments, callOptions?: PlatformCallOptions) =>
        eachItem(operation, (page) => method(page, callOptions) as ReturnType<Parameters<typeof eachItem>[1]>, request)
      return [name, iterate] as const
    })
  return {
    ...Object.fromEntries(methods.map(([name, , method]) => [name, method])),
    deleteArchive: (request?: Arguments, callOptions: PlatformCallOptions = {}) => {
      const { adopt: _, ...readOptions } = callOptions
      return deleteKnownArchive(
        () => call('deleteArchive')(request, callOptions),
        () => call('getArchive')(request, readOptions),
      )
    },
    each: Object.fromEntries(each),
    insights: createInsights(call('queryInsights') as QueryInsights, settings.apiKey),
  } as unknown as PlatformClient
}

/**
 * Deletes an archive. A 403 may mean an unknown archive or invalid credentials; getArchive answers 400 to the former.
 * @throws {@link PlatformNotFoundError} with status 403 if the archive does not exist
 */
async function deleteKnownArchive(
  deleteArchive: () => Promise<unknown>,
  getArchive: () => Promise<unknown>,
): Promise<unknown> {
  try {
    return await deleteArchive()
  } catch (refusal) {
    if (!(refusal instanceof PlatformAuthError) || refusal.status !== 403) throw refusal
    const problem = await getArchive().then(
      () => undefined,
      (error: unknown) => error,
    )
    if (problem instanceof PlatformRequestError && problem.status === 400) throw notFoundError(refusal, problem)
    throw problem === undefined || problem instanceof PlatformError ? refusal : problem // or the signal's reason
  }
}

function notFoundError(
  { status, details }: PlatformError,
  { details: { message } }: PlatformError,
): PlatformNotFoundError {
  const reason = message ? ` (${message.replace(/\.$/, '')})` : ''
  return new PlatformNotFoundError(
    `${details.operation} was answered 403 and getArchive 400${reason}: there is no such archive; check its id.`,
    { status, details },
  )
}
