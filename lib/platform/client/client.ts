import type { Operation, Request } from '../contract/operation.ts'
import { type OperationName, type Operations, operations } from '../contract/operations/operations.ts'
import type { Answer } from './answers.ts'
import { type CallOptions, callOperation } from './calls.ts'
import { createInsights, type Insights } from './insights/insights.ts'
import type { QueryInsights } from './insights/insights-questions.ts'
import { checkOptions, type PlatformClientOptions } from './options.ts'
import { eachItem, isList } from './pages.ts'
import { deleteKnownArchive } from './unknown-archive.ts'

type Call<O, Result> =
  Record<never, never> extends Request<O>
    ? (request?: Request<O>, options?: CallOptions<O>) => Result
    : (request: Request<O>, options?: CallOptions<O>) => Result

type ItemOf<O> = O extends { method: 'GET' }
  ? Answer<O> extends { items: (infer Item)[] } | (infer Item)[]
    ? Item
    : never
  : never
type ListName = { [Name in OperationName]: [ItemOf<Operations[Name]>] extends [never] ? never : Name }[OperationName]

/**
 * Every operation of the contract as a method; under `each` every list as an iterator over all its pages, and under
 * `insights` typed questions to Insights, to which `queryInsights` is the raw one.
 */
export type PlatformClient = {
  readonly [Name in OperationName]: Call<Operations[Name], Promise<Answer<Operations[Name]>>>
} & {
  readonly each: {
    readonly [Name in ListName]: Call<Operations[Name], AsyncIterable<ItemOf<Operations[Name]>>>
  }
  readonly insights: Insights
}

type Arguments = Readonly<Record<string, unknown>>

/**
 * Makes a client of the video platform.
 *
 * Each attempt carries a new token and ends within its timeout. Throttled and unavailable calls are repeated where
 * that does no harm: operations the contract calls repeatable; others only when the platform surely saw nothing of
 * them or the caller says how to adopt. An operation rejects with a PlatformError, or with the reason of its signal.
 * @throws TypeError when an option is no good
 */
export function createPlatformClient(options: PlatformClientOptions): PlatformClient {
  const settings = checkOptions(options)
  const call =
    (name: OperationName) =>
    (request: Arguments = {}, callOptions: CallOptions = {}) =>
      callOperation(settings, name, operations[name], request, callOptions)
  const methods = Object.entries<Operation>(operations).map(
    ([name, operation]) => [name, operation, call(name as OperationName)] as const,
  )
  const each = methods
    .filter(([, operation]) => isList(operation))
    .map(([name, operation, method]) => {
      const iterate = (request?: Arguments, callOptions?: CallOptions) =>
        eachItem(operation, (page) => method(page, callOptions) as ReturnType<Parameters<typeof eachItem>[1]>, request)
      return [name, iterate] as const
    })
  return {
    ...Object.fromEntries(methods.map(([name, , method]) => [name, method])),
    deleteArchive: (request?: Arguments, callOptions: CallOptions = {}) => {
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
