import { keys } from '../../../lib/show/state/keys.ts'
import type { Assembly } from '../../cloud/assembly.ts'
import { postShow } from '../environment/app/event-app.ts'
import { createSecretSearch } from '../environment/secret-search.ts'
import { createRandomFaults } from '../faults/random-faults.ts'
import { throttlePlatform } from '../faults/throttle-platform.ts'
import { readDeadLetters } from '../invariants/dead-letters.ts'
import type { Broken } from '../invariants/invariants.ts'
import { readStoredSecrets } from '../invariants/stored-secrets.ts'
import { createQuiescence } from '../scheduling/quiescence.ts'
import { createRandom } from '../scheduling/random.ts'
import { putAccountSecret, putProjectSecret } from '../setup.ts'
import { prepareOnce } from '../simulate.ts'
import { BEGINNING, createWorld, type World } from '../world.ts'
import { type Settled, secretsIn, settleShow, takeFormerVersions, type WorldEvidence } from './settle.ts'
import type { ShowFile } from './show-file.ts'
import { createShowFiles } from './show-files.ts'
import { drawWebinars, type PlannedShow } from './webinars.ts'

/** Publishing costs as much for one show as for many. The seeds of single shows simulate it. */
const LEFT_OUT = { StartPublish: 'seeds of single shows simulate it' } as const

/** Longer than Lambda takes for all attempts of an event: a sweep of all shows is killed in one of them at most. */
const KILL_SECONDS = 300

export interface SimulateShowsOptions {
  readonly assembly: Assembly
  readonly seed: number
  readonly shows: number
  /** Hours within which the shows start. */
  readonly hours: number
  /** Share of calls that fail. */
  readonly faultRate: number
  /** Calls in a second that the platform answers. Others get 429. @default no limit */
  readonly callsPerSecond?: number | undefined
  /** Called from time to time. */
  readonly onProgress?: (progress: ShowsProgress) => void
}

export interface ShowsProgress {
  readonly settled: number
  readonly of: number
  /** Seconds on the simulation’s clock. */
  readonly virtualSeconds: number
  readonly calls: number
}

/** The outcome of many shows in one world. Two runs of one seed differ in `seconds` and `peakMegabytes` only. */
export interface ShowsReport {
  readonly seed: number
  readonly shows: number
  readonly hours: number
  readonly virtualHours: number
  /** Hours for which shows were live, all together. */
  readonly showHours: number
  /** Number of shows of each status. */
  readonly statuses: Readonly<Record<string, number>>
  readonly platformCalls: number
  readonly transitions: number
  readonly invocations: number
  readonly s3: { readonly reads: number; readonly writes: number }
  readonly apiRequests: number
  readonly events: number
  /** Events of the longest history. */
  readonly largestHistory: number
  readonly peak: { readonly shows: number; readonly executions: number; readonly megabytes: number }
  readonly faults: Readonly<Record<string, number>>
  readonly broken: readonly (Broken & { readonly showId?: string })[]
  readonly traceSha256: string
  /** Seconds on this machine’s clock. */
  readonly seconds: number
}

/** Seconds after a show’s last execution until it is checked: the sweep runs every five minutes. */
const REST_SECONDS = 2_700
/** Bytes of an archive: the platform and the bucket keep those of all shows in memory. */
const MAX_FILE_BYTES = 1_024
/** Steps between two collections of what was observed, and between two reports of progress. */
const COLLECT_STEPS = 100
const PROGRESS_STEPS = 20_000

/** Simulates many shows in one world, under one clock. Each is checked and freed as soon as it is settled. */
export async function simulateShows(options: SimulateShowsOptions): Promise<ShowsReport> {
  const { assembly, seed, shows, hours, faultRate, callsPerSecond = Number.POSITIVE_INFINITY, onProgress } = options
  const began = performance.now()
  const { handlers, issuer } = await prepareOnce()
  const random = (purpose: string) => createRandom(seed, purpose)
  const planned = drawWebinars(random('webinars'), { shows, hours, now: BEGINNING })
  const participants = new Map<string, PromiseWithResolvers<PlannedShow['participants']>>()
  const participantsOf = (showId: string) => {
    const known = participants.get(showId) ?? Promise.withResolvers<PlannedShow['participants']>()
    participants.set(showId, known)
    return known
  }
  const broken: (Broken & { readonly showId?: string })[] = []
  const settled: Settled[] = []
  const peak = { executions: 0, megabytes: 0 }
  let steps = 0

  const files = createShowFiles({
    onQuiet: (file) => restThenSettle(file),
    onObservation: () => void scheduler.pass(takeObservations).catch(fail),
    onManyWrites: (file) => void scheduler.pass(() => takeVersions(file)).catch(fail),
    onBroken: (one) => void broken.push(one),
  })
  const measureMemory = () => {
    peak.megabytes = Math.max(peak.megabytes, process.memoryUsage.rss() / 2 ** 20)
  }
  const onStep = () => {
    peak.executions = Math.max(peak.executions, world.executions.runningCount)
    if (++steps % COLLECT_STEPS > 0) return
    files.collect(world)
    if (steps % PROGRESS_STEPS > 0) return
    measureMemory()
    onProgress?.({
      settled: settled.length,
      of: shows,
      virtualSeconds: world.trace.seconds(),
      calls: world.scheduler.calls,
    })
  }
  const quiescence = createQuiescence()
  const randomFaults = createRandomFaults({
    random: random('faults'),
    rate: faultRate,
    beginning: BEGINNING,
    maxFaults: Number.POSITIVE_INFINITY,
    secondsBetweenKills: KILL_SECONDS,
  })
  const world: World = createWorld({
    ...{ quiescence, assembly, seed, handlers, issuer, onStep },
    leftOut: LEFT_OUT,
    maxFileBytes: MAX_FILE_BYTES,
    participantsOf: (showId) => participantsOf(showId).promise,
    executionsReader: files.reader,
    decide: throttlePlatform(callsPerSecond, randomFaults),
    chaos: faultRate > 0 ? { listLag: 5, events: { twice: 0.02, late: 0.02, latest: 60 } } : {},
  })
  const { clock, scheduler, callApi } = world
  let common: Omit<WorldEvidence, 'worldFaults'> = { secrets: [], callbackKeys: [] }
  let search = createSecretSearch([])

  const settle = async (file: ShowFile) => {
    files.collect(world)
    const one = await settleShow(world, file, { ...common, worldFaults: files.worldFaults })
    files.remove(file)
    for (const execution of file.executions) world.cloud.stepFunctions.forget(execution)
    world.audience.forget?.(file.showId)
    participants.delete(file.showId)
    settled.push(one)
    broken.push(...one.broken.map((detail) => ({ ...detail, showId: one.showId })))
  }
  const takeVersions = async (file: ShowFile) => void broken.push(...(await takeFormerVersions(world, file, search)))
  const takeObservations = async () => {
    const { bucket } = world.observer.storage
    for (const { key, bytes } of await world.cloud.s3.takeFormerVersions(bucket, keys.observation))
      broken.push(...secretsIn(search, key, bytes.toString()))
  }
  const restThenSettle = (file: ShowFile) => {
    const check = ++file.check
    clock.at(clock.now() + REST_SECONDS * 1000, () => {
      if (file.check === check && file.running === 0) void scheduler.pass(() => settle(file)).catch(fail)
    })
  }
  let fail: (error: unknown) => void = () => {}

  const runAll = async () => {
    await putProjectSecret(world)
    await putAccountSecret(world)
    const secrets = await readStoredSecrets(world)
    common = { secrets, callbackKeys: await world.publishedKeys.read() }
    search = createSecretSearch(secrets)
    files.searchFor(search)
    world.startChaos()
    const failed = new Promise<never>((_, reject) => {
      fail = reject
    })
    const post = async ({ show, postedAt, participants: people, stoppedAfter }: PlannedShow, index: number) => {
      await clock.sleep(postedAt - clock.now())
      const showId = await postShow(callApi, { show, key: `webinar ${index + 1}`, clock })
      participantsOf(showId).resolve(people)
      if (stoppedAfter === undefined) return
      await clock.sleep(stoppedAfter * 1000)
      await callApi({ method: 'POST', path: `/shows/${showId}/stop`, key: 'stop' }).catch(() => {})
    }
    await Promise.race([Promise.all(planned.map(post)), failed])
    await Promise.race([world.until(() => settled.length >= shows), failed])
    files.collect(world)
    return readDeadLetters(world)
  }
  try {
    const messages = await scheduler.drive(runAll)
    for (const { queue, text } of messages)
      broken.push({ invariant: 'every show reported', detail: `a message was left in the queue ${queue}: ${text}` })
    measureMemory()
    const { faults, executions, trace } = world
    const sum = (isCounted: (site: (typeof faults.sites)[number]) => boolean) =>
      faults.sites.filter(isCounted).reduce((total, { calls }) => total + calls, 0)
    const isWrite = (operation: string) => /^s3 (Put|POST|Copy|List|Create|Complete|Upload)/.test(operation)
    return {
      ...{ seed, shows, hours, broken },
      virtualHours: trace.seconds() / 3_600,
      showHours: settled.reduce((total, { liveSeconds }) => total + liveSeconds, 0) / 3_600,
      statuses: countBy(settled, ({ status }) => status),
      platformCalls: sum(({ target }) => target === 'platform'),
      transitions: executions.transitions,
      invocations: sum(({ target }) => target === 'function'),
      s3: {
        reads: sum(({ operation }) => operation.startsWith('s3 ') && !isWrite(operation)),
        writes: sum(({ operation }) => isWrite(operation)),
      },
      apiRequests: sum(({ target }) => target === 'api'),
      events: files.figures.busEvents,
      largestHistory: files.figures.largestHistory,
      peak: { shows: files.figures.peakShows, executions: peak.executions, megabytes: Math.round(peak.megabytes) },
      faults: faults.counts,
      traceSha256: trace.sha256(),
      seconds: (performance.now() - began) / 1000,
    }
  } finally {
    world.close()
    quiescence.close()
  }
}

function countBy<Item>(items: readonly Item[], nameOf: (item: Item) => string): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const item of items) counts[nameOf(item)] = (counts[nameOf(item)] ?? 0) + 1
  return counts
}
