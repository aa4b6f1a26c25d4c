import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench } from './bench.ts'
import { median, quantile } from './figures.ts'

/** Showrunner and the platform below it, as far as the bench asks them. */
export interface SessionStage {
  post(show: object): Promise<{ readonly showId: string }>
  read(showId: string): Promise<{ readonly sessionId?: string }>
  stop(showId: string): Promise<unknown>
  /** Makes a session at the platform itself. */
  createSession(): Promise<unknown>
  close(): Promise<void>
}

export interface SessionBenchOptions {
  readonly open: (signal: AbortSignal) => Promise<SessionStage>
  /** How many shows are posted one after another once the functions have been loaded: 20 unless told. */
  readonly shows?: number
}

const show = { version: 1, name: 'Bench', duration: 60, recordings: [{ name: 'program' }] }
/** Milliseconds between two looks at a show: the figures are as coarse. */
const BETWEEN_LOOKS = 20
/** Seconds within which `GET /shows/{id}` has to tell the session. */
const PROMISED = 5

/** From the post of a show to the session that its API tells, beside the platform's own part of that. */
export const createSessionBench = ({ open, shows = 20 }: SessionBenchOptions): Bench => ({
  summary: 'from POST /shows to the session in GET /shows/{id}, on the laptop, beside a session made at the platform',
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
