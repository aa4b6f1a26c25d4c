import { beforeEach, describe, expect, it } from 'vitest'
import { publishBurst } from '../../../../bench/scale/publish-burst.ts'
import type { ExecutionStatus } from '../../../../lib/aws/executions.ts'
import { createSteppedClock, type SteppedClock } from '../../../../lib/clock.ts'
import { takeTurn } from '../../../../lib/publish/queue/take-turn.ts'
import type { PublishQueue } from '../../../../lib/show/state/publish-queue.ts'
import { StorageError } from '../../../../lib/tasks/errors.ts'
import { createRandom } from '../../../../local/simulation/scheduling/random.ts'

type Reach = Parameters<typeof takeTurn>[0]

const BEGIN = Date.parse('2026-11-20T09:00:00Z')
const log = { info() {}, warn() {}, error() {} }
const keyOf = (name: string) => `1/${name}/archive.mp4`

let clock: SteppedClock
let random: () => number
let sizes: Map<string, number>
let running: Set<string>
let stored: { value: PublishQueue; etag: string } | undefined
/** Calls of S3 and Step Functions. */
let calls: string[]
/** Is called before each write, and may fail it. */
let beforeWrite: () => void

beforeEach(() => {
  clock = createSteppedClock(BEGIN)
  random = createRandom(1, 'turns').next
  sizes = new Map()
  running = new Set()
  calls = []
  stored = undefined
  beforeWrite = () => {}
})

const servicesWith = (max: number) =>
  ({
    ...{ clock, random, variable: () => String(max) },
    storage: {
      async readDocument() {
        calls.push('GET')
        return stored
      },
      async writeDocument(_key: string, value: PublishQueue, etag: string | undefined) {
        calls.push('PUT')
        if (clock.now() < BEGIN + 120_000) await clock.sleep(30) // so that many write at once
        beforeWrite()
        if (stored?.etag !== etag) return false
        stored = { value, etag: String(Number(etag ?? 0) + 1) }
        return true
      },
      async sizeOf(key: string) {
        calls.push('HEAD')
        return sizes.get(key)
      },
    },
    publishExecutions: {
      async describe(name: string): Promise<ExecutionStatus> {
        calls.push('describe')
        return running.has(name) ? { status: 'running' } : { status: 'over', stoppedAt: 0, hasSucceeded: true }
      },
    },
  }) as unknown as Reach

interface Asked {
  readonly stage?: 'ready' | 'complete'
  readonly size?: number
  readonly polls?: number
  readonly max?: number
}

/** Asks for a turn, and lets the time pass that the calls take. */
async function ask(name: string, { max = 2, stage = 'ready', ...more }: Asked = {}) {
  running.add(name)
  const asked = takeTurn(servicesWith(max), { key: keyOf(name), executionName: name, stage, ...more }, log)
  await clock.advance(1_000)
  return asked
}

const names = (entries: PublishQueue['running'] = []) => entries.map(({ executionName }) => executionName)

describe('takeTurn', () => {
  it('gives an idle deployment’s publish its turns for a read and a write each', async () => {
    expect(await ask('a')).toMatchObject({ hasTurn: true })
    expect(await ask('a', { stage: 'complete', size: 7 })).toMatchObject({ hasTurn: true })
    expect(calls).toEqual(['GET', 'PUT', 'GET', 'PUT'])
    expect(stored?.value).toMatchObject({
      running: [{ executionName: 'a', archiveId: 'a', stage: 'complete', size: 7 }],
    })
  })

  it('gives a repeated request the turn that it has', async () => {
    await ask('a', { max: 1 })
    expect(await ask('a', { max: 1 })).toMatchObject({ hasTurn: true })
    await ask('a', { stage: 'complete', size: 1, max: 1 })
    expect(await ask('a', { max: 1 })).toMatchObject({ hasTurn: true }) // a late duplicate
    expect(stored?.value.running).toMatchObject([{ stage: 'complete' }])
  })

  it('lets ready wait before complete, and short before long', async () => {
    for (const [name, size] of Object.entries({ long: 900, short: 100, middle: 500 })) sizes.set(keyOf(name), size)
    await ask('first', { max: 1 })
    for (const name of ['long', 'short', 'middle']) await ask(name, { max: 1 })
    expect(await ask('first', { stage: 'complete', size: 1, max: 1 })).toMatchObject({ hasTurn: false, place: 4 })
    expect(names(stored?.value.waiting)).toEqual(['short', 'middle', 'long', 'first'])
    expect(await ask('long', { max: 1 })).toMatchObject({ hasTurn: false, place: 3 })
    expect(await ask('short', { max: 1 })).toMatchObject({ hasTurn: true })
  })

  it('gives a free turn to any of those next in line, as many as may have turns', async () => {
    for (const [name, size] of Object.entries({ short: 100, middle: 500, long: 900 })) sizes.set(keyOf(name), size)
    for (const name of ['a', 'b', 'short', 'middle', 'long']) await ask(name)
    running.delete('a')
    await clock.advance(15_000)
    expect(await ask('long')).toMatchObject({ hasTurn: false, place: 3 })
    expect(await ask('middle')).toMatchObject({ hasTurn: true })
    expect(await ask('short')).toMatchObject({ hasTurn: false, place: 1 })
  })

  it('asks again before its turn by the pace of the turns before it', async () => {
    const numbered = Array.from({ length: 30 }, (_, index) => `n${index}`)
    for (const name of ['a', 'b', ...numbered]) await ask(name)
    for (let had = 'a', turn = 0; turn < 20; turn++) {
      running.delete(had)
      await clock.advance(29_000)
      had = numbered[turn] ?? ''
      expect(await ask(had)).toMatchObject({ hasTurn: true })
    }
    const { pollAt, place = 0 } = await ask('n29')
    const turnIn = 30 * place
    expect((Date.parse(pollAt) - clock.now()) / 1_000 / turnIn).toBeCloseTo(0.7, 1)
  })

  it('leaves a part of the turns to archives that cannot be watched yet', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await ask(name, { max: 4 })
    for (const name of ['a', 'b', 'c'])
      expect(await ask(name, { stage: 'complete', size: 1, max: 4 })).toMatchObject({ hasTurn: true })
    expect(await ask('d', { stage: 'complete', size: 1, max: 4 })).toMatchObject({ hasTurn: false })
    expect(await ask('e', { max: 4 })).toMatchObject({ hasTurn: true })
  })

  it('frees the turns of executions that are over, whether they run or are next', async () => {
    await ask('a', { max: 1 })
    await ask('b', { max: 1 })
    await ask('c', { max: 1 })
    running.delete('a') // killed
    running.delete('b')
    await clock.advance(15_000)
    expect(await ask('c', { max: 1 })).toMatchObject({ hasTurn: true })
    expect(names(stored?.value.waiting)).toEqual([])
  })

  it('looks for ended executions every ten seconds, however many wait', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) await ask(name, { max: 1 })
    expect(calls.filter((call) => call === 'describe').length).toBeLessThanOrEqual(2)
  })

  it('asks again sooner when it is next, and later the longer it has waited', async () => {
    await ask('a', { max: 1 })
    const waits: number[] = []
    for (const [name, polls] of [
      ['b', 0],
      ['c', 0],
      ['b', 150],
    ] as const) {
      const before = clock.now()
      const { pollAt } = await ask(name, { max: 1, polls })
      waits.push((Date.parse(pollAt) - before) / 1_000)
    }
    const [next = 0, second = 0, old = 0] = waits
    expect(next).toBeLessThan(21)
    expect(second).toBeGreaterThan(29)
    expect(old).toBeGreaterThan(300)
  })

  it('writes six times at growing intervals while others write the queue, and asks again later', async () => {
    random = () => 0.5
    const times: number[] = []
    beforeWrite = () => {
      times.push(clock.now() - BEGIN)
      stored = { value: { version: 1, running: [], waiting: [] }, etag: `${calls.length}` }
    }
    running.add('a')
    const asked = takeTurn(servicesWith(2), { key: keyOf('a'), executionName: 'a', stage: 'ready' }, log)
    await clock.advance(30_000)
    expect(await asked).toEqual({ hasTurn: false, polls: 1, pollAt: new Date(BEGIN + 23_330).toISOString() })
    expect(times).toEqual([30, 110, 240, 470, 900, 1_730])
  })

  it('finds its turn after the answer of a write was lost', async () => {
    let isLost = false
    beforeWrite = () => {
      if (isLost) return
      isLost = true
      const entry = {
        executionName: 'a',
        archiveId: 'a',
        stage: 'ready' as const,
        size: 0,
        since: new Date(BEGIN).toISOString(),
      }
      stored = { value: { version: 1, running: [entry], waiting: [] }, etag: '1' }
      throw new StorageError('S3 did not answer.')
    }
    running.add('a')
    const lost = expect(takeTurn(servicesWith(2), { key: keyOf('a'), executionName: 'a', stage: 'ready' }, log)).rejects
    await Promise.all([lost.toThrow('S3 did not answer.'), clock.advance(1_000)])
    expect(await ask('a')).toMatchObject({ hasTurn: true })
    expect(names(stored?.value.running)).toEqual(['a'])
  })
})

describe('a burst of 200 archives within a minute', () => {
  it('never exceeds the maximum, keeps the order, and loses nothing, although some are killed', async () => {
    const max = 5
    const usage = await publishBurst({ archives: 200, max, random })
    expect(usage).toMatchObject({ lost: 0, most: max, outOfOrder: 0, waiting: 0 })
    expect(usage.polls).toBeLessThan(10)
    expect(usage.minutes).toBeLessThan(2 * usage.leastMinutes)
  })
})
