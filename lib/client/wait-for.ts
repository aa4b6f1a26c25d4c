import type { Clock } from '../clock.ts'
import type { Recording, Show } from './documents.ts'
import type { CallOptions, WaitOptions } from './options.ts'
import { ShowrunnerError } from './showrunner-error.ts'

/** A show that has ended, with the recordings of it that are published. */
export interface PublishedShow {
  readonly show: Show
  readonly recordings: readonly Recording[]
}

/** The results of {@link WaitFor} by the awaited state. */
export interface Awaited {
  readonly live: Show
  readonly ended: Show
  readonly published: PublishedShow
}

/**
 * Polls a show until it is live, has ended, or all its uploaded recordings are published.
 *
 * A recording counts as published once no further step of publishing follows, also when a step failed: see its `status`.
 * After the first poll, the wait continues through outages of the API of up to five minutes.
 * @throws {@link ShowrunnerError} of type `wait-timeout` after `timeout`, and of type `show-ended` if the show ended before
 * it was live
 */
export type WaitFor = <State extends keyof Awaited>(
  showId: string,
  state: State,
  options?: WaitOptions,
) => Promise<Awaited[State]>

/** The calls that waiting needs. */
interface Reads {
  readonly show: (showId: string, options: CallOptions) => Promise<Show>
  readonly recording: (archiveId: string, options: CallOptions) => Promise<Recording>
}

const FIRST_INTERVAL_MS = 1_000
const MAX_INTERVAL_MS = 15_000
/** Milliseconds without an answer after which a wait ends. */
const MAX_OUTAGE_MS = 300_000
const OUTAGES: readonly string[] = ['no-answer', 'unavailable', 'too-many-requests']

export const createWaitFor =
  (reads: Reads, clock: Pick<Clock, 'now' | 'sleep'>): WaitFor =>
  async (showId, state, { signal, timeout = Number.POSITIVE_INFINITY, interval } = {}) => {
    const until = clock.now() + timeout
    let delay = interval ?? FIRST_INTERVAL_MS
    let seen = ''
    let answeredAt = Number.NEGATIVE_INFINITY
    const poll = async (): Promise<Checked> => {
      try {
        const show = await reads.show(showId, { signal })
        const checked = await check(show, state, (id) => reads.recording(id, { signal }))
        answeredAt = clock.now()
        return checked
      } catch (error) {
        if (isOutage(error) && clock.now() < answeredAt + MAX_OUTAGE_MS) return { progress: seen }
        throw error
      }
    }
    for (;;) {
      const { reached, progress } = await poll()
      if (reached) return reached as Awaited[typeof state]
      delay = interval ?? (progress === seen ? Math.min(2 * delay, MAX_INTERVAL_MS) : FIRST_INTERVAL_MS)
      seen = progress
      const left = until - clock.now()
      if (left <= 0)
        throw new ShowrunnerError(
          `The show ${showId} was not ${state} within ${timeout / 1000} s: it is ${progress}. Wait again, or read the show.`,
          { type: 'wait-timeout' },
        )
      await clock.sleep(Math.min(delay, left), signal)
    }
  }

const isOutage = (error: unknown) => error instanceof ShowrunnerError && OUTAGES.includes(error.type)

interface Checked {
  readonly reached?: Show | PublishedShow
  /** What the show does, which changes with its progress. */
  readonly progress: string
}

async function check(
  show: Show,
  state: keyof Awaited,
  read: (archiveId: string) => Promise<Recording>,
): Promise<Checked> {
  const { showId, status, liveAt, result } = show
  if (state === 'live') {
    if (liveAt !== undefined) return { reached: show, progress: status }
    if (!result) return { progress: status }
    throw new ShowrunnerError(`The show ${showId} ended before it was live: ${result.reason}`, { type: 'show-ended' })
  }
  if (!result) return { progress: status }
  if (state === 'ended') return { reached: show, progress: status }
  const uploaded = result.recordings.flatMap(({ key, archiveId }) => (key && archiveId ? [archiveId] : []))
  const found = await Promise.all(uploaded.map((archiveId) => read(archiveId).catch(absent)))
  const recordings = found.flatMap((recording) => (typeof recording === 'object' ? recording : []))
  const missing = found.filter((recording) => recording === 'unpublished').length
  const unfinished = missing + recordings.filter((recording) => recording.status === 'ready').length
  if (unfinished === 0) return { reached: { show, recordings }, progress: 'published' }
  return { progress: `${status}, with ${unfinished} of ${uploaded.length} recordings to publish` }
}

/** Returns the reason why there is no recording. */
function absent(error: unknown): 'unpublished' | 'deleted' {
  if (error instanceof ShowrunnerError && error.type === 'unknown-recording') return 'unpublished'
  if (error instanceof ShowrunnerError && error.type === 'recording-deleted') return 'deleted'
  throw error
}
