import type { PreparedRequest } from './requests.ts'

/** An answer with its headers. Its body has not been read. */
export interface TransportResponse {
  readonly status: number
  readonly headers: ResponseHeaders
  /** Reads the body once. Returns undefined once it is longer than `maxBytes`, and rejects if it is incomplete. */
  read(maxBytes: number): Promise<string | undefined>
}

/** The headers of an answer, by lower-case names. */
export interface ResponseHeaders {
  get(name: string): string | null
}

/** Sends a request once, without following redirects. The signal aborts it, also while its body is read. */
export type Transport = (request: PreparedRequest, signal: AbortSignal) => Promise<TransportResponse>

/** Creates a transport from a `fetch` function. It does not follow redirects, which would receive the token. */
export const fetchTransport =
  (fetch: typeof globalThis.fetch): Transport =>
  async ({ url, method, headers, body }, signal) => {
    const init: RequestInit = { method, headers, signal, redirect: 'manual' }
    const response = await fetch(url, body === undefined ? init : { ...init, body })
    return {
      status: response.status,
      headers: response.headers,
      read: async (maxBytes) => (response.body ? readStream(response.body, maxBytes) : ''),
    }
  }

async function readStream(stream: ReadableStream<Uint8Array>, maxBytes: number): Promise<string | undefined> {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  let size = 0
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    size += value.byteLength
    if (size > maxBytes) return undefined
    text += decoder.decode(value, { stream: true })
  }
}
