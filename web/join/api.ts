import type { Invitation } from './invitation.ts'
import type { ShowInfo } from './labels.ts'

/** A problem that the server reports. */
export class ApiError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** The session of a show, and a token that admits a participant to it. */
export interface Admission {
  readonly sandboxUrl: string
  readonly sessionId: string
  readonly token: string
}

/** The server of this page. Its methods throw {@link ApiError}: with status 0 if the server does not answer, 502 if it is not JSON. */
export interface Api {
  /** Returns a show. @param id by default the one of the link, or one that runs */
  show(id?: string): Promise<ShowInfo | undefined>
  /** As `show`, and notes that the participant waits. */
  wait(name: string): Promise<ShowInfo | undefined>
  /** Notes that the participant no longer waits, also while the page is closed. */
  stopWaiting(): void
  admit(showId: string, name: string): Promise<Admission>
}

/** Names the answer of another server, such as the HTML of a proxy. The page's own server answers JSON. */
const describe = ({ status }: Response) =>
  `The server answered ${status}, and not in JSON. Check the proxy between, and that \`showrunner join\` is still running.`

/** Creates a client of this page's server. */
export function createApi({ secret, showId }: Invitation): Api {
  const visitor = crypto.randomUUID()
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
  const call = async <Answer>(path: string, init: RequestInit = {}): Promise<Answer> => {
    const response = await fetch(path, { ...init, headers }).catch(() => {
      throw new ApiError(0, 'The server does not answer. The page tries again.')
    })
    const body = (await response.json().catch(() => {
      throw new ApiError(502, describe(response)) // not final: a proxy may answer this while the server restarts
    })) as { detail?: string; message?: string }
    if (response.ok) return body as Answer
    throw new ApiError(response.status, body.detail ?? body.message ?? `The server answered ${response.status}.`)
  }
  const post = <Answer>(path: string, body: object) =>
    call<Answer>(path, { method: 'POST', body: JSON.stringify({ ...body, visitor }) })

  return {
    async show(id = showId) {
      const query = id === undefined ? '' : `?show=${encodeURIComponent(id)}`
      return (await call<{ show?: ShowInfo }>(`/api/show${query}`)).show
    },
    wait: async (name) => (await post<{ show?: ShowInfo }>('/api/waiting', { name, showId })).show,
    stopWaiting() {
      void fetch(`/api/waiting/${visitor}`, { method: 'DELETE', headers, keepalive: true }).catch(() => {})
    },
    admit: (id, name) => post<Admission>('/api/tokens', { showId: id, name }),
  }
}
