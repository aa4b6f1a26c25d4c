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
export type ShowSummary = AnswerOf<'shows'>['items'][number]

/** API Gateway times out after 30 s. */
const MAX_CALL_MS = 35_000

class ShowApiError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export type ShowApi = ReturnType<typeof createShowApi>

/** Creates a client of Showrunner's API. Its methods throw an Error with the detail and the problems that the API reports. */
export function createShowApi({ apiUrl, token }: Access) {
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
  const post = <Answer>(path: string, body: unknown = {}) =>
    call<Answer>(path, { method: 'POST', body: JSON.stringify(body) })
  const showPath = (showId: string) => `/shows/${encodeURIComponent(showId)}`
  const recordingPath = (archiveId: string) => `/recordings/${encodeURIComponent(archiveId)}`
  return {
    post: (show: unknown) => post<AnswerOf<'accepted'>>('/shows', show),
    read: (showId: string) => call<ShowAnswer>(showPath(showId)),
    /** Lists shows, newest first. @param page its cursor is that of the page before */
    list: ({ limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined }) =>
      call<AnswerOf<'shows'>>(`/shows?${new URLSearchParams({ limit: `${limit}`, ...(cursor && { cursor }) })}`),
    stop: (showId: string) => post(`${showPath(showId)}/stop`),
    unschedule: (showId: string) => call(showPath(showId), { method: 'DELETE' }),
    /** Returns the token with which a participant joins the show and publishes, or undefined once the show is over. */
    admit: (showId: string, name: string): Promise<string | undefined> =>
      post<AnswerOf<'token'>>(`${showPath(showId)}/tokens`, { role: 'publisher', data: name }).then(
        ({ token }) => token,
        (error) => {
          if (error instanceof ShowApiError && error.status === 409) return undefined
          throw error
        },
      ),
    /** Lists the 100 newest recordings, without the segments of their playlists. */
    recordings: async () => (await call<{ items: RecordingAnswer[] }>('/recordings?limit=100')).items,
    recording: (archiveId: string) => call<RecordingAnswer>(recordingPath(archiveId)),
    /** Revokes every link to its watch page, and makes the recording private. */
    revokeLinks: (archiveId: string) => post<AnswerOf<'revoked'>>(`${recordingPath(archiveId)}/revoke`),
    /** Publishes or deletes the withheld file with this ETag. */
    decide: (archiveId: string, decision: 'accept' | 'reject', etag: string) =>
      post<AnswerOf<'judged'>>(`${recordingPath(archiveId)}/${decision}`, { etag }),
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
