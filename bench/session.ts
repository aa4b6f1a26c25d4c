import { setTimeout as sleep } from 'node:timers/promises'
import { type Bench, createBench, measurement } from './bench.ts'
import { median, quantile, timed, times } from './figures.ts'

/** Showrunner and the platform below it, as the bench calls them. */
export interface SessionStage {
  post(show: object): Promise<{ readonly showId: string }>
  read(showId: string): Promise<{ readonly sessionId?: string | undefined }>
  stop(showId: string): Promise<unknown>
  /** Creates a session at the platform directly. */
  createSession(): Promise<unknown>
  close(): Promise<void>
}

export interface SessionBenchOptions {
  readonly open: (signal: AbortSignal) => Promise<SessionStage>
  /** Number of shows posted in sequence once the functions are loaded. @default 20 */
  readonly shows?: number
}

const show = { version: 1, name: 'Bench', duration: 60, recordings: [{ name: 'program' }] }
/** Milliseconds between two polls of a show, and so the resolution of the figures. */
const POLL_INTERVAL_MS = 20
/** Seconds until `GET /shows/{id}` has to return the session. */
const PROMISED = 5

/** Measures the time from posting a show until the API returns its session, and the platform’s share of it. */
export const createSessionBench = ({ open, shows = 20 }: SessionBenchOptions): Bench =>
  createBench(
    'from POST /shows to the session in GET /shows/{id}, local, compared with creating a session at the platform',
    async (onStep, signal) => {
      onStep('starting platform and stack')
      const stage = await open(signal)
      try {
        onStep('posting the first show, which loads the functions')
        const first = await secondsToSession(stage, signal)
        onStep(`posting ${shows} more, one after another`)
        const later = await times(shows, () => secondsToSession(stage, signal))
        const sessions = await times(shows, async () => (await timed(() => stage.createSession())).seconds)
        const goal = { atMost: PROMISED, of: 'value' } as const
        return [
          measurement('the first show', 's', first, median(sessions), goal),
          measurement('later shows, the median', 's', median(later), median(sessions), goal),
          measurement('later shows, the slowest', 's', quantile(later, 1), quantile(sessions, 1), goal),
        ]
      } finally {
        await stage.close()
      }
    },
  )

async function secondsToSession({ post, read, stop }: SessionStage, signal: AbortSignal): Promise<number> {
  const { result: showId, seconds } = await timed(async () => {
    const { showId } = await post(show)
    while ((await read(showId)).sessionId === undefined) await sleep(POLL_INTERVAL_MS, undefined, { signal })
    return showId
  })
  await stop(showId)
  return seconds
}
