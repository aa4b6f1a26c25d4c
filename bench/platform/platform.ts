import type { Bench, Measurement } from '../bench.ts'
import { median, quantile } from '../figures.ts'
import { startSubprocess } from '../subprocess.ts'
import type { CallerOptions, CallsAnswer, CallsQuestion } from './caller-process.ts'
import { type Harness, openHarness } from './harness.ts'
import { load } from './load.ts'
import type { Memory } from './sandbox-process.ts'

/** Amounts of each measurement. Warm-up is not counted. */
export interface Amounts {
  readonly calls: { readonly warmUp: number; readonly rounds: number; readonly perRound: number }
  readonly load: { readonly warmUp: number; readonly rounds: number; readonly perRound: number }
  readonly sessions: number
  /** Number of archives, at most that of sessions. */
  readonly archives: number
  readonly pages: { readonly warmUp: number; readonly rounds: number }
}

const standard: Amounts = {
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
export const createPlatformBench = (amounts: Amounts = standard): Bench => ({
  summary: 'client and sandbox of the video platform, without media',
  async run(onStep, signal) {
    onStep('starting the sandbox and a bare server')
    const harness = await openHarness(signal)
    try {
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
    } finally {
      await harness.close()
    }
  },
})

/**
 * Measures processor time of a whole process per `getArchive`, the median of interleaved rounds. The bare server
 * answers both clients with the sandbox’s bytes: waiting longer makes waking up weigh more.
 */
async function measureCalls(
  { sandbox, bare }: Harness,
  archiveId: string,
  { calls: { warmUp, rounds, perRound } }: Amounts,
  signal: AbortSignal,
): Promise<Measurement> {
  const start = (caller: CallerOptions['caller']) => {
    const options: CallerOptions = { caller, ...sandbox.ready, ...bare.ready, archiveId }
    return startSubprocess(new URL('./caller-process.ts', import.meta.url), options, signal)
  }
  const callers = [await start('client'), await start('opentok')] as const
  try {
    const costs = callers.map((): number[] => [])
    for (const caller of callers) await caller.ask({ calls: warmUp } satisfies CallsQuestion)
    for (let round = 0; round < rounds; round++)
      for (const [index, caller] of callers.entries()) {
        const { cpuPerCall } = await caller.ask<CallsAnswer>({ calls: perRound } satisfies CallsQuestion)
        costs[index]?.push(cpuPerCall)
      }
    const [value = null, baseline = null] = costs.map(median)
    return { work: 'CPU of a call, to opentok’s', unit: 'µs', value, baseline, goal: { atMost: 0.5 } }
  } finally {
    await Promise.all(callers.map((caller) => caller.close()))
  }
}

/** Measures `GET archive` under load: the median rate of interleaved rounds, and the 99th percentile of latency. */
async function measureLoad(harness: Harness, path: string, { load: amount }: Amounts): Promise<Measurement[]> {
  const run = async (count: number) => {
    const requests = harness.requestsFor(path, count)
    const ofSandbox = await load(new URL(harness.sandbox.ready.url), requests.sandbox, CONNECTIONS)
    const ofBare = await load(new URL(harness.bare.ready.url), requests.bare, CONNECTIONS)
    return { ofSandbox, ofBare }
  }
  await run(amount.warmUp)
  const rounds: Awaited<ReturnType<typeof run>>[] = []
  for (let round = 0; round < amount.rounds; round++) rounds.push(await run(amount.perRound))
  const [sandbox, bare] = [rounds.map(({ ofSandbox }) => ofSandbox), rounds.map(({ ofBare }) => ofBare)]
  const rate = (results: typeof sandbox) => median(results.map(({ rate }) => rate))
  const p99 = (results: typeof sandbox) =>
    quantile(
      results.flatMap(({ latencies }) => latencies),
      0.99,
    )
  return [
    {
      work: 'GET archive, to a bare server’s',
      unit: 'requests/s',
      value: rate(sandbox),
      baseline: rate(bare),
      goal: { atLeast: 0.5 },
    },
    { work: 'GET archive, p99, to a bare server’s', unit: 'ms', value: p99(sandbox), baseline: p99(bare) },
  ]
}

/** Measures the memory of the sandbox with many resources, compared with before. */
async function measureMemory(harness: Harness, amounts: Amounts): Promise<Measurement> {
  const megabytes = async () => (await harness.sandbox.ask<Memory>({})).rss / 1e6
  const baseline = await megabytes()
  const sessions = await harness.createSessions(amounts.sessions)
  await harness.startArchives(sessions.slice(0, amounts.archives))
  const work = `memory with ${amounts.sessions} sessions and ${amounts.archives} archives running, to before`
  return { work, unit: 'MB', value: await megabytes(), baseline }
}

/**
 * Measures a page of archives until its last byte, and until the client has checked it. The bare server returns the
 * same bytes.
 */
async function measurePages(harness: Harness, { archives, pages }: Amounts): Promise<Measurement[]> {
  const { sandbox, bare, client } = harness
  const path = `/v2/project/${sandbox.ready.apiKey}/archive?count=${archives}`
  await harness.copyAnswer(path)
  const requests = harness.requestsFor(path, pages.warmUp + pages.rounds)
  const times = { answered: [] as number[], bare: [] as number[], read: [] as number[], parsed: [] as number[] }
  for (let round = 0; round < pages.warmUp + pages.rounds; round++) {
    const took = {
      answered: (await load(new URL(sandbox.ready.url), requests.sandbox.slice(round, round + 1), 1)).latencies[0],
      bare: (await load(new URL(bare.ready.url), requests.bare.slice(round, round + 1), 1)).latencies[0],
      read: await timeOf(() => client.listArchives({ count: archives })),
      parsed: await timeOf(async () => (await fetch(new URL(path, bare.ready.url))).json()),
    }
    if (round < pages.warmUp) continue
    for (const [what, time = Number.NaN] of Object.entries(took)) times[what as keyof typeof times].push(time)
  }
  const page = `list page of ${archives} archives`
  return [
    {
      work: `${page}, to a bare server’s`,
      unit: 'ms',
      value: median(times.answered),
      baseline: median(times.bare),
    },
    {
      work: `${page} by the client, to a bare server’s by fetch`,
      unit: 'ms',
      value: median(times.read),
      baseline: median(times.parsed),
    },
  ]
}

async function timeOf(act: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await act()
  return performance.now() - start
}
