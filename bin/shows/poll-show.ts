import { realClock } from '../../lib/clock.ts'
import type { RunningPublishes } from './running-publishes.ts'
import type { RecordingAnswer, ShowAnswer, ShowApi } from './show-api.ts'

/** The state of a show at one poll and, once it has ended, the recordings that were published of it by then. */
export interface ShowSnapshot {
  readonly show: ShowAnswer
  readonly published: readonly RecordingAnswer[]
  /** State of each publish that runs, by the id of its archive. */
  readonly publishing: ReadonlyMap<string, string>
}

export interface PollOptions {
  readonly api: {
    readonly shows: Pick<ShowApi['shows'], 'get'>
    readonly recordings: Pick<ShowApi['recordings'], 'list'>
  }
  readonly showId: string
  readonly signal: AbortSignal
  readonly onSnapshot: (snapshot: ShowSnapshot) => void
  /** The publishes to wait for. @default none: polling stops when the show has ended */
  readonly publishes?: RunningPublishes | undefined
  /** Milliseconds between polls. @default 500 */
  readonly interval?: number | undefined
  /** @default the machine's clock */
  readonly clock?: Pick<typeof realClock, 'now' | 'sleep'>
}

const DEFAULT_INTERVAL_MS = 500
/** Recordings on one page of the list. */
const PAGE = 100
/** Time in which the publish of an uploaded file starts. It is repeated as long after it was interrupted. */
const START_MS = 60_000

/**
 * Polls a show until it has ended and no uploaded recording is being published any more.
 * @returns the last snapshot
 * @throws Error when the API refuses or does not answer, or when `signal` aborts
 */
export async function pollShow(options: PollOptions): Promise<ShowSnapshot> {
  const { api, showId, signal, onSnapshot, publishes, interval = DEFAULT_INTERVAL_MS, clock = realClock } = options
  let idleSince: number | undefined
  for (;;) {
    signal.throwIfAborted()
    const show = await api.shows.get(showId, { signal })
    const archiveIds = show.recordings.flatMap(({ archiveId }) => archiveId ?? [])
    const published = show.result ? await publishedOf(api, archiveIds, { since: show.acceptedAt, signal }) : []
    const awaited = (show.result?.recordings ?? []).flatMap(({ key, archiveId }) =>
      key && archiveId && !isPublished(archiveId, published) ? [archiveId] : [],
    )
    const publishing = publishes && awaited.length > 0 ? await publishes.statesOf(awaited) : new Map<string, string>()
    const snapshot = { show, published, publishing }
    onSnapshot(snapshot)
    if (show.result) {
      if (!publishes || awaited.length === 0) return snapshot
      idleSince = publishing.size > 0 ? undefined : (idleSince ?? clock.now())
      if (idleSince !== undefined && clock.now() - idleSince >= START_MS) return snapshot
    }
    await clock.sleep(interval, signal)
  }
}

/** Returns the published recordings of a show. The list begins with the newest, and none is older than the show. */
async function publishedOf(
  { recordings }: PollOptions['api'],
  archiveIds: readonly string[],
  { since, signal }: { readonly since: string; readonly signal: AbortSignal },
): Promise<RecordingAnswer[]> {
  const found: RecordingAnswer[] = []
  if (archiveIds.length === 0) return found
  for await (const recording of recordings.list({ limit: PAGE }, { signal })) {
    if (Date.parse(recording.createdAt) < Date.parse(since)) break
    if (archiveIds.includes(recording.archiveId)) found.push(recording)
    if (found.length === archiveIds.length) break
  }
  return found
}

/** Returns true once the publishing of an archive has succeeded or failed. */
export const isPublished = (archiveId: string | undefined, published: readonly RecordingAnswer[]): boolean =>
  published.some((recording) => recording.archiveId === archiveId && recording.status !== 'ready')
