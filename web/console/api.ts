import type { GreenRoom, Recording, Show, ShowLine } from './answers.ts'
import type { Page } from './pages.ts'

/** A problem document, or the `message` of another server. */
interface Problem {
  readonly detail?: string
  readonly message?: string
}

/** Names the answer of another server, such as the HTML of a proxy. The console's own server answers JSON. */
const describe = ({ status }: Response) =>
  `The console's server answered ${status}, and not in JSON. Check the proxy between, and that Showrunner is still running.`

/** @throws Error with the problem that the API reports */
async function request<Answer>(path: string, init?: RequestInit): Promise<Answer> {
  const response = await fetch(path, init).catch(() => {
    throw new Error('Showrunner does not answer. Check that it is still running in its terminal.')
  })
  const body = (await response.json().catch(() => undefined)) as (Answer & Problem) | undefined
  if (response.ok && body !== undefined) return body
  throw new Error(body?.detail ?? body?.message ?? describe(response))
}

const post = <Answer>(path: string, body: unknown): Promise<Answer> =>
  request(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

/** Shows and recordings on one page. */
export const PAGE = 20

const pageQuery = (cursor: string | undefined, filter: Readonly<Record<string, string>> = {}) =>
  new URLSearchParams({ limit: String(PAGE), ...filter, ...(cursor !== undefined && { cursor }) })

/** Lists shows, the newest first. @param filter query of the API */
export const listShows = (
  cursor: string | undefined,
  filter: Readonly<Record<string, string>>,
): Promise<Page<ShowLine>> => request(`/api/shows?${pageQuery(cursor, filter)}`)

export const readShow = (showId: string): Promise<Show> => request(`/api/shows/${encodeURIComponent(showId)}`)

/** Lists recordings, the newest first. */
export const listRecordings = (cursor: string | undefined): Promise<Page<Recording>> =>
  request(`/api/recordings?${pageQuery(cursor)}`)

/** Reads who waits on the join page, and who has joined these sessions. */
export function readGreenRoom(sessionIds: readonly string[]): Promise<GreenRoom> {
  const query = new URLSearchParams(sessionIds.map((sessionId): [string, string] => ['session', sessionId]))
  return request(`/green-room?${query}`)
}

/** Posts the example show, and has participants admitted to it. */
export async function startExample(): Promise<void> {
  const { showId } = await post<Show>('/api/shows', await request('/example.json'))
  await post('/participants', { showId })
}
