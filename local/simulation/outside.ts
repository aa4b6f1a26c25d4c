import type { Cloud } from '../cloud/cloud.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { nameAwsRequest } from './request-names.ts'
import type { Scheduler } from './scheduler.ts'
import type { Trace } from './trace.ts'

/** The ways out of one caller. Each call waits for its turn and leaves a line in the trace. */
export interface Outside {
  platform(request: Request): Promise<Response>
  aws(request: Request): Promise<Response>
  /** Showrunner's own API. */
  api(request: Request): Promise<Response>
}

export interface OutsideOptions {
  readonly scheduler: Scheduler
  readonly trace: Trace
  readonly sandbox: () => Sandbox
  readonly cloud: () => Cloud
  /** The operation that the sandbox has last answered. */
  readonly operation: () => string
  /** Sees what the platform answers before its caller does. */
  readonly onPlatformAnswer: (operation: string, answer: Response) => Promise<void>
}

/** Makes the ways out of a caller by its name in the trace; `gone` aborts when the caller is no more. */
export type OutsideOf = (caller: string, gone?: AbortSignal) => Outside

export function createOutside({ scheduler, trace, ...parts }: OutsideOptions): OutsideOf {
  return (caller, gone) => {
    const call = (answer: () => Promise<{ name: string; response: Response }>) =>
      scheduler.pass(async () => {
        const { name, response } = await answer()
        trace.note(`${caller} -> ${name} -> ${response.status}`)
        return response
      }, gone)
    return {
      platform: (request) =>
        call(async () => {
          const response = await parts.sandbox().fetch(request)
          const operation = parts.operation()
          await parts.onPlatformAnswer(operation, response.clone())
          return { name: `platform ${operation}`, response }
        }),
      aws: (request) =>
        call(async () => ({ name: nameAwsRequest(request), response: await parts.cloud().aws(request) })),
      api: (request) =>
        call(async () => {
          const name = `api ${request.method} ${new URL(request.url).pathname}`
          return { name, response: await parts.cloud().api(request) }
        }),
    }
  }
}
