import type { CallApi } from './event-app.ts'

/** A request of an event app to Showrunner’s API, with its answer. */
export interface AnsweredRequest {
  /** Milliseconds since the epoch. */
  readonly askedAt: number
  readonly answeredAt: number
  readonly method: string
  readonly path: string
  /** Value of `Idempotency-Key`. */
  readonly key: string
  /** JSON or captions, empty without a body. */
  readonly body: string
  /** Undefined if no answer arrived. */
  readonly status: number | undefined
  readonly answer: string
  /** Of the answer, with lowercase names. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Wraps calls of the API so that each is noted with its answer. */
export function noteRequests(call: CallApi, now: () => number, note: (request: AnsweredRequest) => void): CallApi {
  return async (request) => {
    const { method, path, key, body, captions } = request
    const text = captions ?? (body === undefined ? '' : JSON.stringify(body))
    const about = { askedAt: now(), method, path, key, body: text }
    try {
      const response = await call(request)
      const answer = await response.clone().text()
      note({
        ...about,
        answeredAt: now(),
        status: response.status,
        answer,
        headers: Object.fromEntries(response.headers),
      })
      return response
    } catch (error) {
      note({ ...about, answeredAt: now(), status: undefined, answer: '' })
      throw error
    }
  }
}
