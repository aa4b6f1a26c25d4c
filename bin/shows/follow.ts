import type { Clock } from '../../lib/clock.ts'
import type { RecordingAnswer, ShowAnswer, ShowApi } from './show-api.ts'

/** A show as it was last seen, with what has been published of it. */
export interface ShowSnapshot {
  readonly show: ShowAnswer
  readonly published: readonly RecordingAnswer[]
}

export interface FollowOptions {
  readonly api: ShowApi
  readonly showId: string
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly onSight: (sight: ShowSnapshot) => void
  /** Seconds to wait, once the show has ended, for what arrived to be published. */
  readonly publishWait: number
}

const BETWEEN_LOOKS_MS = 500

/** Looks at a show until it has ended and everything that arrived has been published, or publishing takes too long. */
export async function follow(options: FollowOptions): Promise<ShowSnapshot> {
  const { api, showId, clock, signal, onSight, publishWait } = options
  let endedAt: number | undefined
  for (;;) {
    signal.throwIfAborted()
    const show = await api.read(showId)
    const arrived = show.recordings.flatMap(({ archiveId }) => archiveId ?? [])
    const published = (await api.recordings()).filter(({ archiveId }) => arrived.includes(archiveId))
    const sight = { show, published }
    onSight(sight)
    if (show.result) {
      endedAt ??= clock.now()
      const awaited = show.result.recordings.filter(({ key, archiveId }) => key && !isPublished(archiveId, published))
      if (awaited.length === 0 || clock.now() - endedAt > publishWait * 1000) return sight
    }
    await clock.sleep(BETWEEN_LOOKS_MS, signal)
  }
}

export const isPublished = (archiveId: string | undefined, published: readonly RecordingAnswer[]) =>
  published.some((recording) => recording.archiveId === archiveId && recording.status !== 'ready')
