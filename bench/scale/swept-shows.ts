import type { Executions } from '../../lib/aws/executions.ts'
import { createSteppedClock } from '../../lib/clock.ts'
import { recordShow } from '../../lib/operations/usage/usage.ts'
import { purgeDue } from '../../lib/publish/deletion/deletion.ts'
import { createRecords } from '../../lib/records/records.ts'
import { createShows } from '../../lib/records/shows.ts'
import { createUsageRecords } from '../../lib/records/usage-records.ts'
import type { Services } from '../../lib/services.ts'
import { show as showSchema } from '../../lib/show/document/show.ts'
import { sweepUnfinished } from '../../lib/show/run/sweep/sweep.ts'
import { createModelledBucket } from './modelled-bucket.ts'

export interface SweepOptions {
  /** Shows that are live, and as many whose usage is awaited. */
  readonly unsettled: number
  /** Shows that ended and need nothing any more. */
  readonly settled: number
}

/** Shows that are recorded side by side while the bucket is filled. */
const BATCH = 1_000
const HOUR = 3_600_000

const order = showSchema.parse({ version: 1, name: 'A webinar', duration: 7_200, recordings: [{ name: 'program' }] })

/**
 * Returns the requests to the bucket and to Step Functions that one sweep and one recording of usage make: the real use cases
 * on a modelled bucket, filled by the use cases that accept and settle shows.
 */
export async function sweepShows({ unsettled, settled }: SweepOptions): Promise<number> {
  const clock = createSteppedClock(Date.UTC(2030, 0, 1))
  const { storage, counts } = createModelledBucket(clock, 0)
  const records = createRecords(storage)
  const usageRecords = createUsageRecords(storage)
  const shows = createShows({ records, events: () => ({ publish: async () => {} }) as never, clock })
  const accept = (showId: string) =>
    records.acceptShow({ version: 1, showId, acceptedAt: new Date(clock.now()).toISOString(), show: order })
  const end = async (showId: string) => {
    await accept(showId)
    const [startedAt, endedAt] = [HOUR, 0].map((ago) => new Date(clock.now() - ago).toISOString())
    await records.updateState(showId, (state) => ({ ...state, sessionId: 'session', startedAt, endedAt }))
    await records.settle(showId)
  }
  for (let from = 0; from < settled; from += BATCH)
    await each(Math.min(BATCH, settled - from), async (index) => {
      const showId = `settled-${from + index}`
      await end(showId)
      await usageRecords.settle(showId)
    })
  await each(unsettled, (index) => accept(`live-${index}`))
  await each(unsettled, (index) => end(`awaited-${index}`))

  let described = 0
  const showExecutions: Pick<Executions, 'describe'> = {
    async describe() {
      described++
      return { status: 'running' }
    },
  }
  const variable = (name: string) => (name === 'INSIGHTS_PLAN' ? 'basic' : 'https://insights.example.com')
  const services = { records, usageRecords, shows, storage, clock, showExecutions, variable } as unknown as Services
  const before = counts.reads + counts.writes
  await sweepUnfinished(services, fail)
  await purgeDue(services, 1, fail)
  for (const showId of await usageRecords.listAwaiting()) await recordShow(services, showId, { warn() {} })
  return counts.reads + counts.writes - before + described
}

const each = (count: number, act: (index: number) => Promise<unknown>) =>
  Promise.all(Array.from({ length: count }, (_, index) => act(index)))

function fail(id: string, error: unknown): never {
  throw new Error(`The sweep of ${id} failed.`, { cause: error })
}
