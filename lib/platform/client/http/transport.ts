import type { PreparedRequest } from './requests.ts'

/** An answer whose headers are here and whose body is still to be read. */
export interface Transported {
  readonly status: number
  readonly headers: AnswerHeaders
  /** Reads the body once, or gives undefined as soon as it is longer; rejects when it is cut short. */
  read(mostBytes: number): Promise<string | undefined>
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
  async ({ url, method, headers, body }, signal) => {
    const init: RequestInit = { method, headers, signal, redirect: 'manual' }
    const response = await fetch(url, body === undefined ? init : { ...init, body })
    return {
      status: response.status,
      headers: response.headers,
      read: async (mostBytes) => (response.body ? readStream(response.body, mostBytes) : ''),
    }
  }

async function readStream(stream: ReadableStream<Uint8Array>, mostBytes: number): Promise<string | undefined> {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  let size = 0
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    size += value.byteLength
    if (size > mostBytes) return undefined
    text += decoder.decode(value, { stream: true })
  }
}
