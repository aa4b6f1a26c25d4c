import type { PreparedRequest } from './requests.ts'

/** An answer whose headers are here; the body is read piece by piece. */
export interface Transported {
  readonly status: number
  readonly headers: AnswerHeaders
  readonly body: AsyncIterable<Uint8Array> | null
}

/** Looks up by lower-case names. */
export interface AnswerHeaders {
  get(name: string): string | null
}

/** Sends a request once, following no redirect; the signal ends it, also while its body is being read. */
export type Transport = (request: PreparedRequest, signal: AbortSignal) => Promise<Transported>

/** Sends requests by a `fetch`; its redirects are not followed, as the token would go wherever they point. */
export const transportBy =
  (fetch: typeof globalThis.fetch): Transport =>
  ({ url, method, headers, body }, signal) => {
    const init: RequestInit = { method, headers, signal, redirect: 'manual' }
    return fetch(url, body === undefined ? init : { ...init, body })
  }
