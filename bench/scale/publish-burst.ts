import { createSteppedClock } from '../../lib/clock.ts'
import { takeTurn } from '../../lib/publish/queue/take-turn.ts'
import type { PublishQueue } from '../../lib/show/state/publish-queue.ts'

export interface BurstOptions {
  /** Archives that arrive within a minute. Each tenth of their executions is killed between its two turns. */
  readonly archives: number
  /** Publishes at one time. */
  readonly max: number
  /** Returns numbers from 0 to 1. */
  readonly random: () => number
}

/** The outcome of a burst of archives. */
export interface BurstUsage {
  /** Archives whose execution was not killed, and that were not published. */
  readonly lost: number
  /** Publishes that had a turn at one time, at most. */
  readonly most: number
  /** Turns that were taken while at least `max` archives waited that go first. */
  readonly outOfOrder: number
  /** Executions that still wait. */
  readonly waiting: number
  /** For each archive. */
  readonly polls: number
  readonly writes: number
  /** Minutes from the first arrival until the last publish. */
  readonly minutes: number
  /** Minutes that the work takes without any wait. */
  readonly leastMinutes: number
}

type Services = Parameters<typeof takeTurn>[0]

const ARRIVAL = 60_000
/** Seconds of work for each turn. The second grows with the size of the archive. */
const READY = 10
const COMPLETE = 10
const SIZES = 200
const PER_SIZE = 1 / 20
/** Milliseconds of a write while archives arrive, so that many write at once. */
const SLOW_WRITE = 30
const log = { info() {}, warn() {}, error() {} }

/** Publishes a burst on a stepped clock: the real queue, on a modelled bucket and modelled executions. */
export async function publishBurst({ archives, max, random }: BurstOptions): Promise<BurstUsage> {
  const clock = createSteppedClock(Date.UTC(2030, 0, 1))
  const beginning = clock.now()
  const running = new Set<string>()
  const sizes = new Map<string, number>()
  let stored: { readonly value: PublishQueue; readonly etag: string } | undefined
  let [polls, writes, most, outOfOrder, published, work, lastEnd] = [0, 0, 0, 0, 0, 0, beginning]
  const services = {
    ...{ clock, random, variable: () => String(max) },
    storage: {
      readDocument: async () => stored,
      async writeDocument(_key: string, value: PublishQueue, etag: string | undefined) {
        writes++
        if (clock.now() < beginning + 2 * ARRIVAL) await clock.sleep(SLOW_WRITE)
        if (stored?.etag !== etag) return false
        stored = { value, etag: String(writes) }
        return true
      },
      sizeOf: async (key: string) => sizes.get(key),
    },
    publishExecutions: {
      describe: async (name: string) =>
        running.has(name) ? { status: 'running' } : { status: 'over', stoppedAt: 0, hasSucceeded: true },
    },
  } as unknown as Services

  const working = new Set<string>()
  const takeIts = async (name: string, stage: 'ready' | 'complete', size: number) => {
    const asked = { key: keyOf(name), executionName: name, stage, ...(stage === 'complete' && { size }) }
    for (let count = 0; ; polls++) {
      const turn = await takeTurn(services, { ...asked, polls: count }, log)
      if (turn.hasTurn) break
      count = turn.polls
      await clock.sleep(Date.parse(turn.pollAt) - clock.now())
    }
    // Those before it may take the other free turns at their next poll.
    const ahead = stored?.value.waiting.filter((one) => (one.stage === stage ? one.size < size : stage === 'complete'))
    if ((ahead?.length ?? 0) >= max) outOfOrder++
  }
  const workFor = async (name: string, seconds: number) => {
    working.add(name)
    most = Math.max(most, working.size)
    work += seconds
    await clock.sleep(seconds * 1_000)
    working.delete(name)
    lastEnd = clock.now()
  }
  const publish = async (index: number) => {
    const [name, size] = [`archive-${index}`, 1 + ((index * 37) % SIZES)]
    sizes.set(keyOf(name), size)
    await clock.sleep(random() * ARRIVAL)
    running.add(name)
    await takeIts(name, 'ready', size)
    await workFor(name, READY)
    if (!isKilled(index)) {
      await takeIts(name, 'complete', size)
      await workFor(name, COMPLETE + size * PER_SIZE)
      published++
    }
    running.delete(name)
  }
  const indexes = Array.from({ length: archives }, (_, index) => index)
  const all = Promise.all(indexes.map(publish))
  while (running.size > 0 || clock.now() === beginning) await clock.advance(ARRIVAL)
  await all
  return {
    lost: indexes.filter((index) => !isKilled(index)).length - published,
    ...{ most, outOfOrder, writes: writes / archives, polls: polls / archives },
    waiting: stored?.value.waiting.length ?? 0,
    minutes: (lastEnd - beginning) / 60_000,
    leastMinutes: work / max / 60,
  }
}

const keyOf = (name: string) => `1/${name}/archive.mp4`
const isKilled = (index: number) => index % 10 === 0
