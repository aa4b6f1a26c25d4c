import { type Bench, createBench, type Measurement, measurement } from '../bench.ts'
import { median, quantile, timed, times } from '../figures.ts'
import { startSubprocess } from '../subprocess.ts'
import type { CallerOptions, CallsAnswer, CallsQuestion } from './caller-process.ts'
import { openPlatformHarness, type PlatformHarness } from './harness.ts'
import { load } from './load.ts'

/** Amounts of each measurement. Warm-up is not counted. */
export interface PlatformAmounts {
  readonly calls: { readonly warmUp: number; readonly rounds: number; readonly perRound: number }
  readonly load: { readonly warmUp: number; readonly rounds: number; readonly perRound: number }
  readonly sessions: number
  /** Number of archives, at most that of sessions. */
  readonly archives: number
  readonly pages: { readonly warmUp: number; readonly rounds: number }
}

const standard: PlatformAmounts = {
  calls: { warmUp: 15_000, rounds: 15, perRound: 300 },
  load: { warmUp: 40_000, rounds: 15, perRound: 1_000 }, // the bare server has answered as many calls before
  sessions: 10_000,
  archives: 1_000,
  pages: { warmUp: 5, rounds: 30 },
}

/** Connections of the load. Each waits for its answer before it sends again. */
const CONNECTIONS = 8

/**
 * Measures client and sandbox without media: the cost of a call, the rate of answers, and the memory of many resources.
 */
export const createPlatformBench = (amounts: PlatformAmounts = standard): Bench =>
  createBench('client and sandbox of the video platform, without media', async (onStep, signal) => {
    onStep('starting the sandbox and a bare server')
    await using harness = await openPlatformHarness(signal)
    const [archiveId = ''] = await harness.startArchives(await harness.createSessions(1))
    const path = `/v2/project/${harness.sandbox.ready.apiKey}/archive/${archiveId}`
    await harness.copyAnswer(path)
    onStep('calling by our client and by the opentok package in turn')
    const calls = await measureCalls(harness, archiveId, amounts, signal)
    onStep('sending requests to the sandbox and to the bare server in turn')
    const rates = await measureLoad(harness, path, amounts)
    onStep(`making ${amounts.sessions} sessions and starting ${amounts.archives} archives`)
    const memory = await measureMemory(harness, amounts)
    onStep('reading pages')
    return [calls, ...rates, memory, ...(await measurePages(harness, amounts))]
  })

/**
 * Measures processor time of a whole process per `getArchive`, the median of interleaved rounds. The bare server
 * answers both clients with the sandbox’s bytes: waiting longer makes waking up weigh more.
 */
async function measureCalls(
  { sandbox, bare }: PlatformHarness,
  archiveId: string,
  { calls: { warmUp, rounds, perRound } }: PlatformAmounts,
  signal: AbortSignal,
): Promise<Measurement> {
  const start = (caller: CallerOptions['caller']) => {
    const options: CallerOptions = { caller, ...sandbox.ready, ...bare.ready, archiveId }
    return startSubprocess(new URL('./caller-process.ts', import.meta.url), options, signal)
  }
  await using ours = await start('client')
  await using theirs = await start('opentok')
  const ask = async (caller: typeof ours, calls: number) =>
    (await caller.ask<CallsAnswer>({ calls } satisfies CallsQuestion)).cpuPerCall
  for (const caller of [ours, theirs]) await ask(caller, warmUp)
  const costs = await times(rounds, async () => [await ask(ours, perRound), await ask(theirs, perRound)] as const)
  const value = median(costs.map(([cost]) => cost))
  const baseline = median(costs.map(([, cost]) => cost))
  return measurement('CPU of a call, to opentok’s', 'µs', value, baseline, { atMost: 0.5 })
}

/** Measures `GET archive` under load: the median rate of interleaved rounds, and the 99th percentile of latency. */
async function measureLoad(
  harness: PlatformHarness,
  path: string,
  { load: amount }: PlatformAmounts,
): Promise<Measurement[]> {
  const run = async (count: number) => {
    const requests = harness.requestsFor(path, count)
    const ofSandbox = await load(new URL(harness.sandbox.ready.url), requests.sandbox, CONNECTIONS)
    const ofBare = await load(new URL(harness.bare.ready.url), requests.bare, CONNECTIONS)
    return { ofSandbox, ofBare }
  }
  await run(amount.warmUp)
  const rounds = await times(amount.rounds, () => run(amount.perRound))
  const [sandbox, bare] = [rounds.map(({ ofSandbox }) => ofSandbox), rounds.map(({ ofBare }) => ofBare)]
  const rate = (results: typeof sandbox) => median(results.map(({ rate }) => rate))
  const p99 = (results: typeof sandbox) =>
    quantile(
      results.flatMap(({ latencies }) => latencies),
      0.99,
    )
  return [
    measurement('GET archive, to a bare server’s', 'requests/s', rate(sandbox), rate(bare), { atLeast: 0.5 }),
    measurement('GET archive, p99, to a bare server’s', 'ms', p99(sandbox), p99(bare)),
  ]
}

async function measureMemory(harness: PlatformHarness, amounts: PlatformAmounts): Promise<Measurement> {
  const megabytes = async () => (await harness.sandbox.ask<{ rss: number }>({})).rss / 1e6
  const baseline = await megabytes()
  const sessions = await harness.createSessions(amounts.sessions)
  await harness.startArchives(sessions.slice(0, amounts.archives))
  const work = `memory with ${amounts.sessions} sessions and ${amounts.archives} archives running, to before`
  return measurement(work, 'MB', await megabytes(), baseline)
}

/**
 * Measures a page of archives until its last byte, and until the client has checked it. The bare server returns the
 * same bytes.
 */
async function measurePages(harness: PlatformHarness, { archives, pages }: PlatformAmounts): Promise<Measurement[]> {
  const { sandbox, bare, client } = harness
  const path = `/v2/project/${sandbox.ready.apiKey}/archive?count=${archives}`
  await harness.copyAnswer(path)
  const requests = harness.requestsFor(path, pages.warmUp + pages.rounds)
  const rounds = await times(pages.warmUp + pages.rounds, async (round) => ({
    answered: (await load(new URL(sandbox.ready.url), requests.sandbox.slice(round, round + 1), 1)).latencies[0],
    bare: (await load(new URL(bare.ready.url), requests.bare.slice(round, round + 1), 1)).latencies[0],
    read: await millisecondsOf(() => client.listArchives({ count: archives })),
    parsed: await millisecondsOf(async () => (await fetch(new URL(path, bare.ready.url))).json()),
  }))
  const medianOf = (what: keyof (typeof rounds)[number]) =>
    median(rounds.slice(pages.warmUp).map((round) => round[what] ?? Number.NaN))
  const page = `list page of ${archives} archives`
  return [
    measurement(`${page}, to a bare server’s`, 'ms', medianOf('answered'), medianOf('bare')),
    measurement(`${page} by the client, to a bare server’s by fetch`, 'ms', medianOf('read'), medianOf('parsed')),
  ]
}

const millisecondsOf = async (act: () => Promise<unknown>) => (await timed(act)).seconds * 1000
