import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { createConsoleLogin } from '../../../bin/console/console-login.ts'
import { type ConsoleOptions, createConsole } from '../../../bin/console/console-server.ts'
import { type Listening, listen } from '../../../local/cloud/server.ts'
import { createFaults } from '../../../local/sandbox/http/faults.ts'
import { createIds } from '../../../local/sandbox/state/ids.ts'

interface Seen {
  /** Method, path and query. */
  readonly line: string
  readonly headers: Headers
  readonly body: string
}

const HOST = '127.0.0.1:4180'
const TOKEN = 'let me in'
/** The cookie of a browser that has logged in. */
export const COOKIE = `showrunner-console-4180=${encodeURIComponent(TOKEN)}`
export const MEDIA = 'http://127.0.0.1:7'
export const JOIN = 'http://127.0.0.1:8/#come-in'
export const SANDBOX = 'http://127.0.0.1:4'

/** Registers the hooks of a test file that opens the console of `npm start`, in front of an API with the show `abc`. */
export function useConsole() {
  const seen: Seen[] = []
  const attended: string[] = []
  let api: Listening
  let serve: ReturnType<typeof createConsole>
  let now = 0

  /** Answers as the API, and as a proxy for its recordings: with the limit as the status. */
  const answer = async (asked: Request): Promise<Response> => {
    const { pathname, search, searchParams } = new URL(asked.url)
    seen.push({ line: `${asked.method} ${pathname}${search}`, headers: asked.headers, body: await asked.text() })
    if (pathname === '/shows/none') return Response.json({ detail: 'There is no show none.' }, { status: 404 })
    if (pathname === '/shows/denied') return Response.json({ message: 'Unauthorized' }, { status: 401 })
    if (pathname === '/shows/same')
      return new Response(null, { status: 304, headers: { etag: asked.headers.get('if-none-match') ?? '' } })
    if (pathname === '/recordings') return htmlOf(Number(searchParams.get('limit')))
    return Response.json({ asked: pathname })
  }
  const htmlOf = (status: number) =>
    new Response('<html>Bad gateway</html>', { status, headers: { 'content-type': 'text/html' } })

  const optionsOf = (apiUrl: string): ConsoleOptions => ({
    access: { apiUrl, token: 'secret' },
    mediaOrigins: [MEDIA],
    login: createConsoleLogin(TOKEN, () => now),
    local: {
      participants: {
        attend: (showId) => !attended.includes(showId) && attended.push(showId) > 0,
        close: async () => {},
      },
      joinUrl: JOIN,
      greenRoom: {
        participants: async (sessions) => sessions.map((sessionId) => ({ name: 'Ada', hasJoined: true, sessionId })),
      },
      sandbox: { url: SANDBOX, faults: createFaults(createIds(randomBytes)), isLive: () => false },
      clock: { moveForward: async () => {} },
    },
  })
  /** Requests a path of a console as a browser that has logged in. */
  const pageOf =
    (serve: ReturnType<typeof createConsole>) =>
    (path: string, init: RequestInit = {}): Promise<Response> => {
      const headers = { host: HOST, cookie: COOKIE, ...(init.headers as Record<string, string>) }
      return serve(new Request(`http://${HOST}${path}`, { ...init, headers }))
    }
  const page = (path: string, init?: RequestInit) => pageOf(serve)(path, init)

  beforeAll(async () => {
    api = await listen(answer)
    serve = createConsole(optionsOf(api.url))
  })
  afterAll(() => api.close())
  beforeEach(() => {
    seen.length = 0
    attended.length = 0
  })

  return {
    /** Requests that the API has received in this test. */
    seen,
    /** Shows that participants have joined in this test. */
    attended,
    /** Returns the options of the console, or of one whose API is at another address. */
    optionsOf: (apiUrl = api.url) => optionsOf(apiUrl),
    pageOf,
    page,
    post: (path: string, body: string, headers = {}) => page(path, { method: 'POST', body, headers }),
    /** Moves the clock of the log-in. */
    advance(ms: number) {
      now += ms
    },
  }
}

/** Returns the status and the sentence of a problem document. */
export const problemOf = async (response: Response) => [
  response.status,
  ((await response.json()) as { detail: string }).detail,
]
