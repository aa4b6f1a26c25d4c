import type { Clock } from '../clock.ts'

export interface ShowrunnerOptions {
  /** Address of the deployment's API, such as `https://api.example.com`. */
  readonly url: string
  /** An access token of the deployment's issuer, or a function that returns one. The function is called for each request. */
  readonly token: string | (() => string | Promise<string>)
  /** Sends the requests. @default the global `fetch` */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** Aborts every call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Maximum milliseconds of one attempt. @default 35000, because the API times out after 30 s */
  readonly timeout?: number | undefined
  /** Maximum attempts of a call, 1 to 10. @default 4 */
  readonly attempts?: number | undefined
  /** Measures the delays between attempts and polls, for tests. @default the system's clock */
  readonly clock?: Pick<Clock, 'now' | 'sleep'> | undefined
}

export interface CallOptions {
  /** Aborts the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

export interface KeyedOptions extends CallOptions {
  /**
   * A key of 1 to 255 characters: calls with the same key have their effect once. Give one that your app has stored, such
   * as the id of a webinar, so that the call can be repeated after a crash.
   * @default a random key for each call, which its own retries share
   */
  readonly idempotencyKey?: string | undefined
}

export interface WaitOptions extends CallOptions {
  /** Maximum milliseconds to wait. @default unlimited */
  readonly timeout?: number | undefined
  /** Milliseconds between polls. @default 1000 after a change of the status, doubling to 15000 */
  readonly interval?: number | undefined
}
