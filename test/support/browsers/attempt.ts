import { type Clock, realClock } from '../../../lib/clock.ts'
import { measureLateness } from '../lateness.ts'

export interface AttemptOptions {
  /** Attempts that decide. @default 4 */
  readonly attempts?: number
  /** @default the real clock */
  readonly clock?: Pick<Clock, 'now'>
  /** Returns the milliseconds that this process and its programs have waited for a processor since a time. */
  readonly lateSince?: (from: number) => number
}

/** Share of an attempt's time from which the machine was too busy for the attempt to decide. */
const BUSY = 0.2
/** Milliseconds after which every attempt decides. */
const PATIENCE = 480_000

/**
 * Checks media that another program made in real time, such as a browser, which a busy machine delays by more than the check
 * tolerates. A check that fails is repeated with new media. The last attempt decides, so that a defect fails each of them.
 * Attempts of a busy machine do not count for eight minutes.
 */
export async function attempt(check: () => Promise<void>, options: AttemptOptions = {}): Promise<void> {
  const { attempts = 4, clock = realClock } = options
  const meter = options.lateSince ? undefined : measureLateness()
  const lateSince = options.lateSince ?? ((from: number) => meter?.between(from) ?? 0)
  const begunAt = clock.now()
  try {
    for (let left = attempts; ; ) {
      const from = clock.now()
      try {
        return await check()
      } catch (error) {
        const now = clock.now()
        const isBusy = lateSince(from) > BUSY * (now - from) && now - begunAt < PATIENCE
        if (!isBusy) left--
        if (left <= 0) throw error
      }
    }
  } finally {
    meter?.stop()
  }
}
