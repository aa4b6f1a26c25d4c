import type { FileRole } from '../../lib/publish/manifest/manifest.ts'

/** Where the API is and who may use it. */
export interface Access {
  readonly apiUrl: string
  readonly token: string
}

interface Problem {
  readonly detail?: string
  readonly message?: string
  readonly problems?: readonly { path: string; message: string }[]
}

/** The parts of the API's answers that commands look at. */
export interface ShowAnswer {
  readonly showId: string
  readonly name: string
  readonly status: string
  readonly acceptedAt: string
  readonly acceptedBy?: string
  readonly endedAt?: string
  readonly sessionId?: string
  readonly liveAt?: string
  readonly plannedEndAt?: string
  readonly endReason?: string
  /** While it is scheduled. */
  readonly start?: { readonly at?: string; readonly cron?: string; readonly zone: string }
  readonly recordings: readonly {
    name: string
    part: number
    tag: string
    archiveId?: string
    status?: string
    problem?: string
  }[]
  readonly broadcasts: readonly {
    name: string
    part: number
    tag: string
    broadcastId?: string
    status?: string
    hls?: string
    problem?: string
  }[]
  readonly timeline: readonly TimelineAnswer[]
  readonly result?: ResultAnswer
}

export interface TimelineAnswer {
  readonly at: string
  readonly what: string
  readonly name?: string
  readonly part?: number
  readonly by?: string
  readonly detail?: string
}

export interface ResultAnswer {
  readonly status: string
  readonly reason: string
  readonly recordings: readonly {
    name: string
    part: number
    tag: string
    archiveId?: string
    status?: string
    key?: string
    size?: number
    duration?: number
    lost?: string
  }[]
  readonly broadcasts: readonly {
    name: string
    part: number
    broadcastId?: string
    status?: string
    hls?: string
    problem?: string
  }[]
}

export interface RecordingAnswer {
  readonly archiveId: string
  readonly status: 'ready' | 'complete' | 'failed'
  readonly access: 'signed' | 'public'
  readonly message?: string
  /** What was uploaded in the place of the published file and waits for an operator. */
  readonly withheld?: {
    readonly etag: string
    readonly size: number
    readonly since: string
    readonly differences: readonly string[]
    readonly acceptedAt?: string
  }
  readonly source: { key: string; size: number; url: string }
  readonly watch: { url: string }
  readonly files: readonly { role: FileRole; key: string; size: number; url: string }[]
}

/** A show as a list tells of it. */
export interface ShowSummary {
  readonly showId: string
  readonly name: string
  readonly status: string
  readonly acceptedAt: string
  readonly liveAt?: string
  readonly endedAt?: string
}

/** One page of a list; with a cursor there is another one. */
export interface Page<Item> {
  readonly items: readonly Item[]
  readonly cursor?: string
}

/** Showrunner's own API, as any event app would call it. */
export interface ShowApi {
  /** @throws Error with every problem of the document */
  post(show: unknown): Promise<{ showId: string; status: string }>
  read(showId: string): Promise<ShowAnswer>
  /** Newest first, from the cursor of an earlier page on. */
  list(page: { readonly limit: number; readonly cursor?: string | undefined }): Promise<Page<ShowSummary>>
  stop(showId: string): Promise<unknown>
  unschedule(showId: string): Promise<unknown>
  /** The token with which somebody by that name joins the show and publishes; undefined once it is over. */
  admit(showId: string, name: string): Promise<string | undefined>
  /** The newest recordings, without the parts of their playlists. */
  recordings(): Promise<readonly RecordingAnswer[]>
  /** The whole of one. */
  recording(archiveId: string): Promise<RecordingAnswer>
  /** Ends every link to its watch page, and makes it private. */
  revokeLinks(archiveId: string): Promise<{ readonly revoked: readonly string[] }>
  /** Has the withheld file of this ETag published, or deleted. */
  judge(archiveId: string, verdict: 'accept' | 'reject', etag: string): Promise<{ readonly outcome: string }>
}

/** Milliseconds; API Gateway itself gives up after 30 s. */
const MAX_CALL_MS = 35_000

/** An answer that is no success. */
class ShowApiRefusal extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Every call throws an Error in one sentence, with every problem that the API names below it. */
export function createShowApi({ apiUrl, token }: Access): ShowApi {
  const base = apiUrl.replace(/\/$/, '')
  const call = async <Answer>(path: string, init: RequestInit = {}): Promise<Answer> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const signal = AbortSignal.timeout(MAX_CALL_MS)
    const response = await fetch(`${base}${path}`, { ...init, headers, signal, redirect: 'error' }).catch((error) => {
      throw new Error(`The API at ${base} does not answer (${reasonOf(error)}): is the address right?`, {
        cause: error,
      })
    })
    const body = await readJson(response)
    if (response.ok && body !== undefined) return body as Answer
    throw new ShowApiRefusal(response.status, refusalOf(response.status, base, (body ?? {}) as Problem))
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
          if (error instanceof ShowApiRefusal && error.status === 409) return undefined
          throw error
        },
      )
    },
    recordings: async () => (await call<{ items: RecordingAnswer[] }>('/recordings?limit=100')).items,
    recording: (archiveId) => call(`/recordings/${encodeURIComponent(archiveId)}`),
    revokeLinks: (archiveId) =>
      call(`/recordings/${encodeURIComponent(archiveId)}/revoke`, { method: 'POST', body: '{}' }),
    judge: (archiveId, verdict, etag) =>
      call(`/recordings/${encodeURIComponent(archiveId)}/${verdict}`, {
        method: 'POST',
        body: JSON.stringify({ etag }),
      }),
  }
}

/** Undefined for what is no JSON: then it was not the API that answered. */
const readJson = (response: Response): Promise<unknown> => response.json().catch(() => undefined)

function refusalOf(status: number, base: string, { detail, message, problems = [] }: Problem): string {
  if (status === 401)
    return `The API at ${base} does not accept the token: it must be of the issuer that the stack names, for its audience, and not expired.`
  if (status < 300) return `What answers at ${base} is not the API of Showrunner: check the address.`
  const lines = problems.map(({ path, message }) => `${path || 'the show'} ${message}`)
  return [detail ?? `The API answered ${status}${message ? ` (${message})` : ''}.`, ...lines].join('\n  ')
}

/** What lies under the `fetch failed` of Node. */
function reasonOf(error: Error & { cause?: { code?: string; message?: string } }): string {
  if (error.name === 'TimeoutError') return `within ${MAX_CALL_MS / 1000} s`
  return error.cause?.code ?? error.cause?.message ?? error.message
}
