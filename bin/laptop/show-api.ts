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
  readonly sessionId?: string
  readonly liveAt?: string
  readonly plannedEndAt?: string
  readonly endReason?: string
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
  readonly timeline: readonly { at: string; what: string; name?: string; part?: number }[]
  readonly result?: ResultAnswer
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
  readonly message?: string
  readonly source: { key: string; size: number; url: string }
  readonly files: readonly { role: string; key: string; url: string }[]
}

/** Showrunner's own API, as any event app would call it. */
export interface ShowApi {
  /** @throws Error with every problem of the document */
  post(show: unknown): Promise<{ showId: string; status: string }>
  read(showId: string): Promise<ShowAnswer>
  /** The newest recordings. */
  recordings(): Promise<readonly RecordingAnswer[]>
}

export function createShowApi({ apiUrl, token }: Access): ShowApi {
  const call = async <Answer>(path: string, init: RequestInit = {}): Promise<Answer> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const response = await fetch(`${apiUrl}${path}`, { ...init, headers })
    const body = (await response.json()) as Answer & Problem
    if (response.ok) return body
    const problems = body.problems?.map(({ path, message }) => `${path || 'the show'} ${message}`) ?? []
    throw new Error([body.detail ?? body.message ?? `The API answered ${response.status}.`, ...problems].join('\n  '))
  }
  return {
    post: (show) => call('/shows', { method: 'POST', body: JSON.stringify(show) }),
    read: (showId) => call(`/shows/${showId}`),
    recordings: async () => (await call<{ items: RecordingAnswer[] }>('/recordings?limit=100')).items,
  }
}
