import type { ShowDocument } from '../../lib/show/document/show.ts'
import type { ShowResult } from '../../lib/show/state/result.ts'
import type { Assembly } from '../cloud/assembly.ts'
import { createIssuer, type Issuer } from '../cloud/http/issuer.ts'
import type { FaultOrder } from '../sandbox/http/faults.ts'
import type { Chaos } from './chaos/chaos.ts'
import { addresses } from './environment/addresses.ts'
import { demoGuests, type Guest } from './environment/guests.ts'
import { loadHandlers, type MakeHandler } from './environment/handlers.ts'
import { readSdkFiles } from './environment/services.ts'
import type { CallSite, Decide } from './faults/fault.ts'
import type { ControlAnswer } from './generator/control-requests.ts'
import type { Plan } from './generator/plan.ts'
import { runShow } from './run-show.ts'
import { createQuiescence } from './scheduling/quiescence.ts'
import { createWorld, type World } from './world.ts'

export interface SimulateOptions {
  readonly assembly: Assembly
  readonly show: ShowDocument
  /** Decides every id, every jitter and the order of everything. */
  readonly seed: number
  /** Default: those of the demo. */
  readonly guests?: readonly Guest[]
  /** What people do meanwhile, in place of `guests`; default: nothing else. */
  readonly plan?: Plan | undefined
  /** What the platform is ordered to do wrong; default: nothing. */
  readonly faults?: readonly FaultOrder[]
  /** What goes wrong with calls; default: nothing. */
  readonly decide?: Decide
  /** What goes wrong beside them; default: nothing. */
  readonly chaos?: Chaos
  /**
   * Seconds of its own time that the world may take, and that it goes on after the show's execution has ended: the sweep
   * stops what an aborted one has left. Default: as long as it likes, and not at all.
   */
  readonly longest?: number
  readonly goOn?: number
}

/** How a simulated show went. Two runs with one seed differ in `seconds` alone. */
export interface Simulation {
  readonly seed: number
  /** Empty where the show was refused. */
  readonly showId: string
  /** Of the result; `unreported` when there is none, `refused` when the API did not take it under a fault. */
  readonly status: ShowResult['status'] | 'unreported' | 'refused'
  readonly result: ShowResult | null
  /** What is not simulated, with the reason. */
  readonly leftOut: Readonly<Record<string, string>>
  /** On the simulation's clock. */
  readonly virtualSeconds: number
  /** On this machine's clock. */
  readonly seconds: number
  /** Calls that the scheduler let happen, one by one. */
  readonly calls: number
  /** States entered, of all executions together. */
  readonly transitions: number
  /** Of all executions together. */
  readonly historyEvents: number
  /** What was made to go wrong, by kind. */
  readonly faults: Readonly<Record<string, number>>
  /** Where calls came from: what single faults can be ordered for. */
  readonly sites: readonly (CallSite & { readonly calls: number })[]
  /** What came of the controls that were asked for. */
  readonly answers: readonly ControlAnswer[]
  readonly traceSha256: string
  readonly trace: readonly string[]
}

/** Publishing reads real media, and the simulation has none. */
const LEFT_OUT = { StartPublish: 'media is off, so there is nothing to publish' } as const

/** A simulation that could not be brought to its end; `trace` tells how far it came. */
export class SimulationError extends Error {
  override readonly name = 'SimulationError'
  readonly trace: readonly string[]
  readonly virtualSeconds: number
  readonly faults: Simulation['faults']

  constructor(message: string, { cause, world }: { cause: unknown; world: Pick<World, 'trace' | 'faults'> }) {
    super(message, { cause })
    this.trace = [...world.trace.lines]
    this.virtualSeconds = world.trace.seconds()
    this.faults = world.faults.counts
  }
}

/** What every simulation of this process shares; none of it depends on a seed. */
let shared: Promise<{ handlers: ReadonlyMap<string, MakeHandler>; issuer: Issuer }> | undefined

async function prepare() {
  const [handlers, issuer] = await Promise.all([loadHandlers(), createIssuer(() => addresses.issuer), readSdkFiles()])
  return { handlers, issuer }
}

/**
 * Runs a whole show: the real machines, handlers and sandbox in this process, without media, sockets or waiting.
 * @throws SimulationError when it cannot: the API refuses the show, or nothing happens any more
 */
export async function simulate(options: SimulateOptions): Promise<Simulation> {
  return simulateIn(options, async (_world, simulation) => simulation)
}

/** The same, and then `look` at the world as the show has left it; promises of that world need `scheduler.drive`. */
export async function simulateIn<T>(
  options: SimulateOptions,
  look: (world: World, simulation: Simulation) => Promise<T>,
): Promise<T> {
  const { assembly, show, seed, plan, faults: orders = [], goOn = 0, ...wrong } = options
  const guests = plan?.guests ?? options.guests ?? demoGuests
  const began = performance.now()
  shared ??= prepare()
  const { handlers, issuer } = await shared
  const quiet = createQuiescence()
  let world: World | undefined
  try {
    const appOutages = plan?.appOutages
    world = createWorld({ quiet, assembly, seed, handlers, issuer, leftOut: LEFT_OUT, ...wrong, guests, appOutages })
    for (const order of orders) world.platform.sandbox.faults.order(order)
    const ran = await runShow(world, { show, plan, seed, goOn }).catch(tellTrace(world))
    const { showId = '', result, answers } = ran
    const { scheduler, executions, trace, faults } = world
    return await look(world, {
      seed,
      showId,
      status: result?.status ?? (showId ? 'unreported' : 'refused'),
      result: result ?? null,
      leftOut: LEFT_OUT,
      virtualSeconds: trace.seconds(),
      seconds: (performance.now() - began) / 1000,
      calls: scheduler.calls,
      transitions: executions.transitions,
      historyEvents: executions.historyEvents,
      faults: faults.counts,
      sites: faults.sites,
      answers,
      traceSha256: trace.sha256(),
      trace: [...trace.lines],
    })
  } finally {
    world?.close()
    quiet.close()
  }
}

const tellTrace = (world: World) => (cause: Error) => {
  throw new SimulationError(cause.message, { cause, world })
}
