import type { ShowDocument } from '../../lib/show/document/show.ts'
import type { ShowResult } from '../../lib/show/state/result.ts'
import type { Assembly } from '../cloud/assembly.ts'
import { createIssuer, type Issuer } from '../cloud/http/issuer.ts'
import type { FaultOrder } from '../sandbox/http/faults.ts'
import type { Chaos } from './chaos/chaos.ts'
import { createCoverageCounter } from './coverage/count-coverage.ts'
import type { Coverage } from './coverage/coverage.ts'
import { DEPLOYMENT_SECONDS } from './deploying/deployment-plan.ts'
import { addresses } from './environment/addresses.ts'
import { loadHandlers, type MakeHandler } from './environment/handlers.ts'
import { demoParticipants, type SimulatedParticipant } from './environment/participants.ts'
import { readSdkFiles } from './environment/services.ts'
import type { CallSite, Decide } from './faults/fault.ts'
import type { ControlAnswer } from './generator/controls/control-requests.ts'
import type { Plan } from './generator/plan.ts'
import { runShow } from './run-show.ts'
import { createQuiescence } from './scheduling/quiescence.ts'
import { createWorld, type World } from './world.ts'

export interface SimulateOptions {
  readonly assembly: Assembly
  readonly show: ShowDocument
  /** Decides every id, every jitter and the order of everything. */
  readonly seed: number
  /** Its first time, in milliseconds since the epoch. @default BEGINNING of the world */
  readonly beginning?: number | undefined
  /** Participants without a plan. @default demoParticipants */
  readonly participants?: readonly SimulatedParticipant[]
  /** Participants, controls and outages of the event app, instead of `participants`. @default none */
  readonly plan?: Plan | undefined
  /** Faults that the sandbox injects. @default none */
  readonly faults?: readonly FaultOrder[]
  /** Decides the faults of calls. @default none */
  readonly decide?: Decide
  /** Faults beside calls. @default none */
  readonly chaos?: Chaos
  /** Functions that do not run, with the reason. @default all run */
  readonly leftOut?: Readonly<Record<string, string>>
  /**
   * Limit of simulated seconds, and seconds to continue after the show’s execution: the sweep stops what an aborted one
   * left.
   * @default no limit, and 0
   */
  readonly maxSeconds?: number
  readonly extraSeconds?: number
}

/** The outcome of a simulated show. Two runs of one seed differ in `seconds` only. */
export interface Simulation {
  readonly seed: number
  /** Empty if the show was refused. */
  readonly showId: string
  /** Status of the result; `unreported` without a result, `refused` if the API refused the show under a fault. */
  readonly status: ShowResult['status'] | 'unreported' | 'refused'
  readonly result: ShowResult | null
  /** Functions that are not simulated, with the reason. */
  readonly leftOut: Readonly<Record<string, string>>
  /** Seconds on the simulation’s clock until the show’s executions ended. */
  readonly virtualSeconds: number
  /** Seconds on this machine’s clock. */
  readonly seconds: number
  readonly calls: number
  /** States entered by all executions. */
  readonly transitions: number
  readonly historyEvents: number
  readonly faults: Readonly<Record<string, number>>
  /** Sites of calls, for which single faults can be ordered. */
  readonly sites: readonly (CallSite & { readonly calls: number })[]
  readonly answers: readonly ControlAnswer[]
  readonly coverage: Coverage
  readonly traceSha256: string
  readonly trace: readonly string[]
}

/** Thrown when a simulation cannot finish. `trace` shows its progress. */
export class SimulationError extends Error {
  override readonly name = 'SimulationError'
  readonly trace: readonly string[]
  readonly virtualSeconds: number
  readonly faults: Simulation['faults']
  readonly coverage: Coverage

  constructor(
    message: string,
    { cause, world }: { cause: unknown; world: Pick<World, 'trace' | 'faults' | 'takenCoverage'> },
  ) {
    super(message, { cause })
    this.trace = [...world.trace.lines]
    this.virtualSeconds = world.trace.seconds()
    this.faults = world.faults.counts
    this.coverage = world.takenCoverage()
  }
}

/** Handlers and issuer, shared by every simulation of this process. They depend on no seed. */
let shared: Promise<{ handlers: ReadonlyMap<string, MakeHandler>; issuer: Issuer }> | undefined

/** Loads handlers and makes an issuer, once for each process. */
export function prepareOnce() {
  shared ??= prepare()
  return shared
}

async function prepare() {
  const [handlers, issuer] = await Promise.all([loadHandlers(), createIssuer(() => addresses.issuer), readSdkFiles()])
  return { handlers, issuer }
}

/**
 * Simulates a whole show: the real machines, handlers and sandbox in this process, without media, sockets or waiting.
 * @throws {@link SimulationError} when the API refuses the show, or nothing happens any more
 */
export async function simulate(options: SimulateOptions): Promise<Simulation> {
  return simulateIn(options, async (_world, simulation) => simulation)
}

/** Simulates a show, and calls `inspect` with its world. Promises of that world need `scheduler.drive`. */
export async function simulateIn<T>(
  options: SimulateOptions,
  inspect: (world: World, simulation: Simulation) => Promise<T>,
): Promise<T> {
  const { assembly, show, seed, plan, faults: orders = [], extraSeconds = 0, leftOut = {}, ...wrong } = options
  const participants = plan?.participants ?? options.participants ?? demoParticipants
  const began = performance.now()
  const { handlers, issuer } = await prepareOnce()
  const quiescence = createQuiescence()
  let world: World | undefined
  try {
    const appOutages = plan?.appOutages
    const deploymentSeconds = plan?.deployment && DEPLOYMENT_SECONDS
    world = createWorld({
      quiescence,
      assembly,
      seed,
      handlers,
      issuer,
      leftOut,
      ...wrong,
      participants,
      // Each of several shows has its own participants, who stay in their session.
      ...(plan?.others && { participantsOf: async () => participants }),
      appOutages,
      deploymentSeconds,
      coverage: createCoverageCounter(),
    })
    for (const order of orders) world.platform.sandbox.faults.order(order)
    const ran = await runShow(world, { show, plan, seed, extraSeconds }).catch(throwWithTrace(world))
    const { showId = '', result, answers, endedAfter } = ran
    const { scheduler, executions, trace, faults } = world
    return await inspect(world, {
      seed,
      showId,
      status: result?.status ?? (showId ? 'unreported' : 'refused'),
      result: result ?? null,
      leftOut,
      virtualSeconds: endedAfter,
      seconds: (performance.now() - began) / 1000,
      calls: scheduler.calls,
      transitions: executions.transitions,
      historyEvents: executions.historyEvents,
      faults: faults.counts,
      sites: faults.sites,
      answers,
      coverage: world.takenCoverage(),
      traceSha256: trace.sha256(),
      trace: [...trace.lines],
    })
  } finally {
    world?.close()
    quiescence.close()
  }
}

const throwWithTrace = (world: World) => (cause: Error) => {
  throw new SimulationError(cause.message, { cause, world })
}
