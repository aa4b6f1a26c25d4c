import type { AnswerOf, ProblemDocument } from '../../lib/api/answers.ts'

/** The address of the API, and a token for it. */
export interface Access {
  readonly apiUrl: string
  readonly token: string
}

/** A problem of a function, or the `message` of API Gateway. */
type Problem = Partial<ProblemDocument> & { readonly message?: string }

export type ShowAnswer = AnswerOf<'show'>
export type RecordingAnswer = AnswerOf<'recording'>
type ShowPage = AnswerOf<'shows'>
export type ShowSummary = ShowPage['items'][number]

/** A client of Showrunner's API. Its methods throw an Error with the detail and the problems that the API reports. */
export interface ShowApi {
  post(show: unknown): Promise<AnswerOf<'accepted'>>
  read(showId: string): Promise<ShowAnswer>
  /** Lists shows, newest first. @param page its cursor is that of the page before */
  list(page: { readonly limit: number; readonly cursor?: string | undefined }): Promise<ShowPage>
  stop(showId: string): Promise<unknown>
  unschedule(showId: string): Promise<unknown>
  /** Returns the token with which a participant joins the show and publishes, or undefined once the show is over. */
  admit(showId: string, name: string): Promise<string | undefined>
  /** Lists the 100 newest recordings, without the segments of their playlists. */
  recordings(): Promise<readonly RecordingAnswer[]>
  /** Returns one recording with all its files. */
  recording(archiveId: string): Promise<RecordingAnswer>
  /** Revokes every link to its watch page, and makes the recording private. */
  revokeLinks(archiveId: string): Promise<AnswerOf<'revoked'>>
  /** Publishes or deletes the withheld file with this ETag. */
  decide(archiveId: string, decision: 'accept' | 'reject', etag: string): Promise<AnswerOf<'judged'>>
}

/** API Gateway times out after 30 s. */
const MAX_CALL_MS = 35_000

class ShowApiError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Creates a client of Showrunner's API. */
export function createShowApi({ apiUrl, token }: Access): ShowApi {
  const base = apiUrl.replace(/\/$/, '')
  const call = async <Answer>(path: string, init: RequestInit = {}): Promise<Answer> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const signal = AbortSignal.timeout(MAX_CALL_MS)
    const response = await fetch(`${base}${path}`, { ...init, headers, signal, redirect: 'error' }).catch((error) => {
      throw new Error(`The API at ${base} does not answer (${reasonOf(error)}). Check the address.`, {
        cause: error,
      })
    })
    const body = await readJson(response)
    if (response.ok && body !== undefined) return body as Answer
    throw new ShowApiError(response.status, messageFor(response.status, base, (body ?? {}) as Problem))
  }
  return {
    post: (show) => call('/shows', { method: 'POST', body: JSON.stringify(show) }),
    read: (showId) => call(`/shows/${encodeURIComponent(showId)}`),
    list: ({ limit, cursor }) =>
      call(`/shows?${new URLSearchParams({ limit: `${limit}`, ...(cursor && { cursor }) })}`),
    stop: (showId) => call(`/shows/${encodeURIComponent(showId)}/stop`, { method: 'POST', body: '{}' }),
    unschedule: (showId) => call(`/shows/${encodeURIComponent(showId)}`, { method: 'DELETE' }),
    async admit(showId, name) {
      const order = { role: 'publisher', data: name }
      const path = `/shows/${encodeURIComponent(showId)}/tokens`
      const init = { method: 'POST', body: JSON.stringify(order) }
      return call<{ token: string }>(path, init).then(
        ({ token }) => token,
        (error) => {
          if (error instanceof ShowApiError && error.status === 409) return undefined
          throw error
        },
      )
    },
    recordings: async () => (await call<{ items: RecordingAnswer[] }>('/recordings?limit=100')).items,
    recording: (archiveId) => call(`/recordings/${encodeURIComponent(archiveId)}`),
    revokeLinks: (archiveId) =>
      call(`/recordings/${encodeURIComponent(archiveId)}/revoke`, { method: 'POST', body: '{}' }),
    decide: (archiveId, decision, etag) =>
      call(`/recordings/${encodeURIComponent(archiveId)}/${decision}`, {
        method: 'POST',
        body: JSON.stringify({ etag }),
      }),
  }
}

/** Returns undefined if the body is not JSON. Then another server answered. */
const readJson = (response: Response): Promise<unknown> => response.json().catch(() => undefined)

function messageFor(status: number, base: string, { detail, message, problems = [] }: Problem): string {
  if (status === 401)
    return `The API at ${base} does not accept the token. Use an unexpired token of the configured issuer, for its audience.`
  if (status < 300) return `The server at ${base} is not the API of Showrunner. Check the address.`
  const lines = problems.map(({ path, message }) => `${path || 'the show'} ${message}`)
  return [detail ?? `The API answered ${status}${message ? ` (${message})` : ''}.`, ...lines].join('\n  ')
}

/** Returns the cause behind Node's `fetch failed`. */
function reasonOf(error: Error & { cause?: { code?: string; message?: string } }): string {
  if (error.name === 'TimeoutError') return `within ${MAX_CALL_MS / 1000} s`
  return error.cause?.code ?? error.cause?.message ?? error.message
}
