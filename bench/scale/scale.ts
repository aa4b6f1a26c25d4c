import { createRandom } from '../../local/simulation/scheduling/random.ts'
import { type Bench, createBench, measurement } from '../bench.ts'
import { publishBurst } from './publish-burst.ts'
import { sweepShows } from './swept-shows.ts'
import { type WatchUsage, watchShows } from './watched-shows.ts'

export interface ScaleOptions {
  /** Numbers of live shows; the first is the baseline. @default 1, 10, 100, 1,000 and 10,000 */
  readonly sizes?: readonly number[]
  /** Seconds for which they are watched. @default 1,200 */
  readonly seconds?: number
  /** Settled shows beside which a hundred others are swept. @default 100,000 */
  readonly settled?: number
  /** Archives that arrive within a minute. @default 1,000 */
  readonly archives?: number
}

/** Reduction of platform calls that the largest number of shows has to reach, and the largest share of the price of one show. */
const CALLS = 1 / 20
const PRICE = 1
/** Seconds within which an unplanned end is noticed. */
const NOTICED = 60
/** Shows that are swept, and the largest share of their requests that settled shows may cause. */
const SWEPT = 100
const BESIDE_SETTLED = 1.05
/** Publishes at one time, as `limits.maxConcurrentPublishes` by default. */
const PUBLISHES = 10

/** Compares watching many shows with watching one, for an hour of one show. */
export const createScaleBench = ({
  sizes = [1, 10, 100, 1_000, 10_000],
  seconds = 1_200,
  settled = 100_000,
  archives = 1_000,
}: ScaleOptions = {}): Bench =>
  createBench('watching many shows at once, for an hour of one show, compared with one show alone', async (onStep) => {
    const usages = new Map<number, WatchUsage>()
    for (const shows of sizes) {
      onStep(`watching ${shows} ${shows === 1 ? 'show' : 'shows'}`)
      usages.set(shows, await watchShows({ shows, seconds }))
    }
    const [[, one] = [], ...others] = usages
    if (!one) return []
    const last = sizes.at(-1)
    onStep(`sweeping ${SWEPT} shows beside ${settled.toLocaleString('en-US')} settled ones`)
    const [swept, alone] = [
      await sweepShows({ unsettled: SWEPT, settled }),
      await sweepShows({ unsettled: SWEPT, settled: 0 }),
    ]
    const sweep = `requests of a sweep and a recording of usage, beside ${settled.toLocaleString('en-US')} settled shows`
    const watched = others.flatMap(([shows, usage]) => {
      const of = (work: string) => `${work}, ${shows.toLocaleString('en-US')} shows`
      return [
        measurement(of('platform calls'), 'calls', usage.platformCalls, one.platformCalls, {
          atMost: shows === last ? CALLS : 1,
        }),
        measurement(of('price'), 'US$', usage.price, one.price, { atMost: PRICE }),
        measurement(of('polls'), 'polls', usage.polls, one.polls),
        measurement(of('reads of the bucket'), 'requests', usage.reads, one.reads),
        measurement(of('writes to the bucket'), 'requests', usage.writes, one.writes),
        measurement(of('until a failure is noticed'), 's', usage.noticed, one.noticed, {
          atMost: NOTICED,
          of: 'value',
        }),
        measurement(of('functions at once'), 'functions', usage.concurrency, one.concurrency),
      ]
    })
    return [
      ...watched,
      measurement(sweep, 'requests', swept, alone, { atMost: BESIDE_SETTLED }),
      ...(await measureBurst(archives, onStep)),
    ]
  })

async function measureBurst(archives: number, onStep: (words: string) => void) {
  onStep(`publishing ${archives.toLocaleString('en-US')} archives that arrive within a minute`)
  const random = createRandom(1, 'burst').next
  const usage = await publishBurst({ archives, max: PUBLISHES, random })
  const of = (work: string) => `${work}, ${archives.toLocaleString('en-US')} archives within a minute`
  const atMost = (bound: number) => ({ atMost: bound, of: 'value' }) as const
  return [
    measurement(of('lost'), 'archives', usage.lost + usage.waiting, 0, atMost(0)),
    measurement(of('turns out of order'), 'turns', usage.outOfOrder, 0, atMost(0)),
    measurement(of('publishes at one time'), 'publishes', usage.most, PUBLISHES, atMost(PUBLISHES)),
    measurement(of('polls for each'), 'polls', usage.polls, null),
    measurement(of('until the last is published, and its work alone'), 'min', usage.minutes, usage.leastMinutes),
  ]
}
