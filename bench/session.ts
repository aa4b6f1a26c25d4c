import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench } from './bench.ts'
import { median, quantile } from './figures.ts'

/** Showrunner and the platform below it, as the bench calls them. */
export interface SessionStage {
  post(show: object): Promise<{ readonly showId: string }>
  read(showId: string): Promise<{ readonly sessionId?: string }>
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
const BETWEEN_LOOKS = 20
/** Seconds until `GET /shows/{id}` has to return the session. */
const PROMISED = 5

/** Measures the time from posting a show until the API returns its session, and the platform’s share of it. */
export const createSessionBench = ({ open, shows = 20 }: SessionBenchOptions): Bench => ({
  summary:
    'from POST /shows to the session in GET /shows/{id}, local, compared with creating a session at the platform',
  async run(onStep, signal) {
    onStep('starting platform and stack')
    const stage = await open(signal)
    try {
      onStep('posting the first show, which loads the functions')
      const first = await secondsToSession(stage, signal)
      onStep(`posting ${shows} more, one after another`)
      const later = await times(shows, () => secondsToSession(stage, signal))
      const sessions = await times(shows, () => secondsOf(() => stage.createSession()))
      const goal = { atMost: PROMISED, of: 'value' } as const
      const baseline = median(sessions)
      return [
        { work: 'the first show', unit: 's', value: first, baseline, goal },
        { work: 'later shows, the median', unit: 's', value: median(later), baseline, goal },
        {
          work: 'later shows, the slowest',
          unit: 's',
          value: quantile(later, 1),
          baseline: quantile(sessions, 1),
          goal,
        },
      ]
    } finally {
      await stage.close()
    }
  },
})

async function secondsToSession({ post, read, stop }: SessionStage, signal: AbortSignal): Promise<number> {
  let showId = ''
  const seconds = await secondsOf(async () => {
    showId = (await post(show)).showId
    while ((await read(showId)).sessionId === undefined) await sleep(BETWEEN_LOOKS, undefined, { signal })
  })
  await stop(showId)
  return seconds
}

async function secondsOf(act: () => Promise<unknown>): Promise<number> {
  const since = performance.now()
  await act()
  return (performance.now() - since) / 1000
}

async function times(count: number, measure: () => Promise<number>): Promise<number[]> {
  const figures: number[] = []
  while (figures.length < count) figures.push(await measure())
  return figures
}
