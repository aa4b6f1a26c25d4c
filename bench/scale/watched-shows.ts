import { createSteppedClock, type SteppedClock } from '../../lib/clock.ts'
import { createObservations } from '../../lib/records/observations.ts'
import { createRecords } from '../../lib/records/records.ts'
import { createShows } from '../../lib/records/shows.ts'
import { tagOf } from '../../lib/show/document/fields/names.ts'
import { show as showSchema } from '../../lib/show/document/show.ts'
import { observeShow } from '../../lib/show/run/watch/watch-show.ts'
import { priceOf } from '../prices.ts'
import { createModelledBucket } from './modelled-bucket.ts'
import { createModelledPlatform, type ModelledPlatform } from './modelled-platform.ts'

/** Usage of watching shows, for an hour of one show except the last two. */
export interface WatchUsage {
  readonly platformCalls: number
  readonly polls: number
  readonly reads: number
  readonly writes: number
  /** US dollars: transitions, invocations with their duration, and requests to the bucket. */
  readonly price: number
  /** Invocations that ran at the same time, at most. */
  readonly concurrency: number
  /** Seconds until the slowest show noticed that an archive had failed. */
  readonly noticed: number
}

export interface WatchOptions {
  readonly shows: number
  /** Seconds that all shows are watched. */
  readonly seconds: number
}

/** Seconds over which shows go live. */
const START_SPREAD = 60
/** Milliseconds of an invocation beside its calls; gigabytes of its memory. */
const OVERHEAD = 20
const GIGABYTES = 256 / 1_024
/** Transitions of one poll: the task, the choice after it, and the wait. */
const TRANSITIONS = 3

const order = showSchema.parse({
  version: 1,
  name: 'A webinar',
  duration: 7_200,
  recordings: [{ name: 'program' }, { name: 'speakers' }],
  broadcasts: [{ name: 'live', hls: {} }],
})

/**
 * Watches shows side by side on one stepped clock: the real task of the watch machine, on a modelled platform and bucket. They
 * go live within a minute, as webinars do on the hour. One archive of each tenth show, of the first at least, fails on the way.
 */
export async function watchShows({ shows: count, seconds }: WatchOptions): Promise<WatchUsage> {
  const clock = createSteppedClock(Date.UTC(2030, 0, 1))
  const platform = createModelledPlatform(clock)
  const bucket = createModelledBucket(clock)
  const functions = createFunctions(clock, platform, bucket)
  const began = clock.now()
  const end = began + seconds * 1000
  const watching = Array.from({ length: count }, async (_, index) => {
    await clock.sleep(Math.floor((index * START_SPREAD * 1000) / count))
    return watchOne({ clock, platform, functions, end, breaks: index % 10 === 0 }, `show-${index}`)
  })
  const all = Promise.all(watching)
  let isDone = false
  void all.then(() => {
    isDone = true
  })
  while (!isDone) await clock.advance(1_000)
  const noticed = (await all).flatMap((one) => one ?? [])

  const hours = (count * seconds) / 3_600
  const { polls, milliseconds } = functions.usage
  const { reads, writes } = bucket.counts
  const gigabyteSecond = (milliseconds / 1000) * GIGABYTES
  const price = priceOf({
    ...{ transition: polls * TRANSITIONS, invocation: polls, gigabyteSecond, read: reads, write: writes },
  })
  return {
    platformCalls: platform.calls() / hours,
    polls: polls / hours,
    reads: reads / hours,
    writes: writes / hours,
    price: price / hours,
    concurrency: functions.usage.most,
    noticed: Math.max(...noticed),
  }
}

/** Creates warm functions: each runs one invocation at a time and keeps its memory, as Lambda's environments do. */
function createFunctions(
  clock: SteppedClock,
  { client }: ModelledPlatform,
  { storage }: ReturnType<typeof createModelledBucket>,
) {
  const create = () => {
    const records = createRecords(storage)
    const events = () => ({ publish: async () => {} }) as never
    const shows = createShows({ records, events, clock })
    return { clock, shows, records, observations: createObservations(storage, clock), platform: async () => client }
  }
  const idle: ReturnType<typeof create>[] = []
  const usage = { polls: 0, milliseconds: 0, running: 0, most: 0 }
  return {
    usage,
    /** Runs an invocation in an idle function, or in a new one. */
    async invoke<T>(act: (services: ReturnType<typeof create>) => Promise<T>): Promise<T> {
      const services = idle.pop() ?? create()
      const since = clock.now()
      usage.polls++
      usage.most = Math.max(usage.most, ++usage.running)
      await clock.sleep(OVERHEAD)
      const result = await act(services)
      usage.milliseconds += clock.now() - since
      usage.running--
      idle.push(services)
      return result
    },
    /** Services for what does not count as an invocation. */
    beside: create(),
  }
}

interface Watched {
  readonly clock: SteppedClock
  readonly platform: ModelledPlatform
  readonly functions: ReturnType<typeof createFunctions>
  /** Milliseconds since the epoch. */
  readonly end: number
  readonly breaks: boolean
}

const log = { info() {}, warn() {}, error() {} }

/** Watches one show as its machine does. Returns the seconds until it noticed that its archive had failed. */
async function watchOne(watched: Watched, showId: string): Promise<number | undefined> {
  const { clock, platform, functions, end, breaks } = watched
  const { records } = functions.beside
  const sessionId = `session-of-${showId}`
  const archive = await bringLive(watched, showId, sessionId)
  let brokenAt = Number.POSITIVE_INFINITY
  if (breaks)
    clock.at(clock.now() + 400_000, () => {
      brokenAt = clock.now()
      platform.break(archive)
    })
  let noticed: number | undefined
  while (clock.now() < end) {
    const { nextPollAt } = await functions.invoke((services) => observeShow(services, { showId, sessionId }, log))
    const hasFailed = async () =>
      (await records.readState(showId))?.timeline.some(({ what }) => what === 'recording.failed')
    if (brokenAt < clock.now() && noticed === undefined && (await hasFailed()))
      noticed = (clock.now() - brokenAt) / 1000
    await clock.sleep(Math.max(0, Math.min(Date.parse(nextPollAt), end) - clock.now()))
  }
  return noticed
}

/** Records a show whose recordings and broadcast have started. Returns its first archive. */
async function bringLive({ clock, platform, functions }: Watched, showId: string, sessionId: string) {
  const { records } = functions.beside
  const acceptedAt = new Date(clock.now()).toISOString()
  await records.acceptShow({ version: 1, showId, acceptedAt, show: order })
  const archives = order.recordings.map(({ name }) => platform.addArchive(sessionId, tagOf(showId, name)))
  const broadcasts = order.broadcasts.map(({ name }) => platform.addBroadcast(sessionId, tagOf(showId, name)))
  const liveAt = new Date(clock.now()).toISOString()
  const plannedEndAt = new Date(clock.now() + (order.duration ?? 0) * 1000).toISOString()
  await records.updateState(showId, (state) => ({
    ...state,
    ...{ status: 'live', sessionId, startedAt: acceptedAt, liveAt, plannedEndAt },
    recordings: state.recordings.map((entry, index) => ({
      ...entry,
      ...{ archiveId: archives[index]?.id, createdAt: liveAt, status: 'started' as const },
    })),
    broadcasts: state.broadcasts.map((entry, index) => ({
      ...entry,
      ...{ broadcastId: broadcasts[index]?.id, createdAt: liveAt, status: 'started' as const },
    })),
  }))
  return archives[0] as ReturnType<ModelledPlatform['addArchive']>
}
