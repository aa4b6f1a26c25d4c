import { createShowrunner, type Showrunner } from '../../lib/client/showrunner.ts'
import { ShowrunnerError } from '../../lib/client/showrunner-error.ts'
import type {
  CheckedShow,
  Deployment,
  ExecutionAnswer,
  GreenRoom,
  MovedClock,
  Recording,
  Show,
  ShowDocument,
  ShowLine,
} from './answers.ts'
import type { OrderedFault } from './break/fault-choices.ts'
import type { Page } from './pages.ts'

/** Names the answer of another server, such as the HTML of a proxy. The console's own server answers JSON. */
const describe = ({ status }: Response) =>
  `The console's server answered ${status}, and not in JSON. Check the proxy between, and that Showrunner is still running.`
const SILENT = 'Showrunner does not answer. Check that it is still running in its terminal.'

/** Sends a request of the client. The answer of another server, and that to a page without log-in, become problems. */
const send: typeof fetch = async (...request) => {
  const response = await fetch(...request)
  const isJson = response.headers.get('content-type')?.includes('json') === true
  if (response.status !== 304 && !isJson) return Response.json({ detail: describe(response) }, { status: 502 })
  // The client takes 401 for a refused token. Here the page has lost its log-in, and the answer says how to get in.
  return response.status === 401 ? Response.json(await response.json(), { status: 403 }) : response
}

/** The page's address. Unit tests compile this file without the types of browsers. */
const page = globalThis as unknown as { readonly location: { readonly origin: string } }

/** Creates a client of the API. The server of the page replaces the token. */
const connect = (attempts: number): Showrunner =>
  createShowrunner({ url: `${page.location.origin}/api`, token: '', fetch: send, attempts })

/** Has one attempt, since the page polls. */
let reading: Showrunner | undefined
/** Repeats what had no answer, with the same Idempotency-Key. */
let acting: Showrunner | undefined

/** Calls the API. The server of the page adds the token. @throws Error with a sentence for the user */
const ask = async <Answer>(client: Showrunner, call: (api: Showrunner) => Promise<Answer>): Promise<Answer> => {
  try {
    return await call(client)
  } catch (error) {
    const isSilent = error instanceof ShowrunnerError && error.type === 'no-answer'
    throw isSilent ? new Error(SILENT, { cause: error }) : error
  }
}

const read = <Answer>(call: (api: Showrunner) => Promise<Answer>): Promise<Answer> => {
  reading ??= connect(1)
  return ask(reading, call)
}

/** Has the API do something. @throws Error with the sentence of the API's problem */
export const act = <Answer>(call: (api: Showrunner) => Promise<Answer>): Promise<Answer> => {
  acting ??= connect(3)
  return ask(acting, call)
}

/** Shows and recordings on one page. */
export const PAGE = 20

type ShowQuery = NonNullable<Parameters<Showrunner['shows']['list']>[0]>

/** Lists shows, the newest first. @param filter query of the API */
export const listShows = (
  cursor: string | undefined,
  filter: Readonly<Record<string, string>>,
): Promise<Page<ShowLine>> => {
  const query: ShowQuery = { limit: PAGE, ...filter, cursor }
  return read(({ shows }) => shows.list(query).page())
}

export const readShow = (showId: string): Promise<Show> => read(({ shows }) => shows.get(showId))

/** Lists what is published in the session of a show. */
export const listStreams = (showId: string) => read(async ({ shows }) => (await shows.streams(showId)).items)

/** Reads the execution of a show, or one of its children. */
export const readExecution = (showId: string, child?: ExecutionAnswer['states'][number]['child']) =>
  read(({ shows }) => shows.execution(showId, child))

/** Reads what a show has cost so far, and its estimate. */
export const readCost = (showId: string) => read(({ shows }) => shows.cost(showId))

/** Lists the deliveries of events to the callback of a show, the newest first. */
export const listDeliveries = (showId: string) => read(async ({ shows }) => (await shows.deliveries(showId)).items)

/** Recordings on a page of the library behind the first one. */
const LIBRARY_PAGE = 100

/** Lists the archives that wait to be published, in their order. */
export const listPublishing = () => read(async ({ recordings }) => (await recordings.listWaiting()).items)

/** Lists recordings, the newest first. @param filter query of the API */
export const listRecordings = (
  cursor: string | undefined,
  filter: Readonly<Record<string, string>> = {},
): Promise<Page<Recording>> =>
  read(({ recordings }) =>
    recordings.list({ limit: cursor === undefined ? PAGE : LIBRARY_PAGE, ...filter, cursor }).page(),
  )

/** Reads a recording, with new links. */
export const readRecording = (archiveId: string): Promise<Recording> =>
  read(({ recordings }) => recordings.get(archiveId))

/** Requests something of the console's server beside the API. @throws Error with its problem */
async function request<Answer>(path: string, init?: RequestInit): Promise<Answer> {
  const response = await send(path, init).catch(() => {
    throw new Error(SILENT)
  })
  const body = (await response.json()) as Answer & { readonly detail?: string }
  if (response.ok) return body
  throw new Error(body.detail)
}

/** Reads who waits on the join page, and who has joined these sessions. */
export function readGreenRoom(sessionIds: readonly string[]): Promise<GreenRoom> {
  const query = new URLSearchParams(sessionIds.map((sessionId): [string, string] => ['session', sessionId]))
  return request(`/green-room?${query}`)
}

/** Reads which deployment the page is for. */
export const readDeployment = (): Promise<Deployment> => {
  deployment ??= request<Deployment>('/deployment')
  return deployment
}
let deployment: Promise<Deployment> | undefined

/** Returns the base URL of the sandbox, from which the page can receive streams. Returns undefined for a deployment. */
export const sandboxUrl = async (): Promise<string | undefined> =>
  (await readDeployment().catch(() => undefined))?.sandboxUrl

/** Reads the example show. */
export const readExample = (): Promise<ShowDocument> => request('/example.json')

/** Reads the schema of show documents. */
export const readSchema = <Schema>(): Promise<Schema> => request('/show.schema.json')

/** Checks a document without starting it. Returns its forecast, or its problems. */
export async function checkShow(show: ShowDocument): Promise<CheckedShow> {
  try {
    return { forecast: (await read(({ shows }) => shows.validate(show))).forecast }
  } catch (error) {
    const { message: detail, problems = [] } = error as Partial<ShowrunnerError> & Error
    return { detail, problems }
  }
}

/** Posts the example show, and has participants admitted to it. */
export async function startExample(): Promise<void> {
  const example = await readExample()
  const { showId } = await act(({ shows }) => shows.start(example))
  await request('/participants', sent('POST', { showId }))
}

const sent = (method: string, body?: unknown): RequestInit => ({
  method,
  ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
})

/** Lists the faults of the sandbox that are ordered. */
export const listFaults = (): Promise<{ readonly items: readonly OrderedFault[] }> => request('/break/faults')

/** Orders a fault of the sandbox. */
export const orderFault = (order: object): Promise<unknown> => request('/break/faults', sent('POST', order))

/** Clears all faults of the sandbox. */
export const clearFaults = (): Promise<unknown> => request('/break/faults', sent('DELETE'))

/** Cuts the connection of the participant who publishes a stream. */
export const cutConnection = (sessionId: string, streamId: string): Promise<unknown> =>
  request('/break/connections', sent('POST', { sessionId, streamId }))

/** Reads the time of Showrunner, in milliseconds since the epoch, and by how many it is ahead of the machine's. */
export const readClock = (): Promise<MovedClock> => request('/break/clock')

/** Moves the time of Showrunner forward. */
export const moveClock = (seconds: number): Promise<MovedClock> =>
  request('/break/clock', sent('POST', { forward: seconds }))

/** Kills the oldest ffmpeg of this machine's Showrunner. */
export const killFfmpeg = (): Promise<{ readonly pid: number }> => request('/break/ffmpeg', sent('POST', {}))
