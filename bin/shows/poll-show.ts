import { realClock } from '../../lib/clock.ts'
import type { RecordingAnswer, ShowAnswer, ShowApi } from './show-api.ts'

/** The state of a show at one poll, and the recordings that were published of it by then. */
export interface ShowSnapshot {
  readonly show: ShowAnswer
  readonly published: readonly RecordingAnswer[]
}

export interface PollOptions {
  readonly api: ShowApi
  readonly showId: string
  readonly signal: AbortSignal
  readonly onSnapshot: (snapshot: ShowSnapshot) => void
  /** Seconds to wait for publishing after the show has ended. */
  readonly publishTimeout: number
}

const POLL_INTERVAL_MS = 500

/**
 * Polls a show until it has ended and every uploaded recording is published, or `publishTimeout` has elapsed.
 * @returns the last snapshot
 * @throws Error when the API refuses or does not answer, or when `signal` aborts
 */
export async function pollShow(options: PollOptions): Promise<ShowSnapshot> {
  const { api, showId, signal, onSnapshot, publishTimeout } = options
  let endedAt: number | undefined
  for (;;) {
    signal.throwIfAborted()
    const show = await api.read(showId)
    const archiveIds = show.recordings.flatMap(({ archiveId }) => archiveId ?? [])
    const published = (await api.recordings()).filter(({ archiveId }) => archiveIds.includes(archiveId))
    const snapshot = { show, published }
    onSnapshot(snapshot)
    if (show.result) {
      endedAt ??= realClock.now()
      const awaited = show.result.recordings.filter(({ key, archiveId }) => key && !isPublished(archiveId, published))
      if (awaited.length === 0 || realClock.now() - endedAt > publishTimeout * 1000) return snapshot
    }
    await realClock.sleep(POLL_INTERVAL_MS, signal)
  }
}

/** Returns true once the publishing of an archive has succeeded or failed. */
export const isPublished = (archiveId: string | undefined, published: readonly RecordingAnswer[]): boolean =>
  published.some((recording) => recording.archiveId === archiveId && recording.status !== 'ready')
