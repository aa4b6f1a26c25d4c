import { setProjectStatus } from '../chaos/account.ts'
import type { ShowSecrets } from '../generator/secrets.ts'
import { gatherEvidence } from '../invariants/evidence.ts'
import { type Broken, checkInvariants, type Invariant } from '../invariants/invariants.ts'
import { type SimulateOptions, type Simulation, SimulationError, simulateIn } from '../simulate.ts'
import type { World } from '../world.ts'

/** What a scenario decides of a simulation. */
export type Scenario = Omit<SimulateOptions, 'assembly' | 'seed'>

/** How one seed's simulation went. */
export interface Trial {
  readonly seed: number
  readonly virtualSeconds: number
  readonly status: Simulation['status']
  readonly faults: Simulation['faults']
  /** `simulation`: it could not be brought to its end. */
  readonly broken: readonly (Broken | { readonly invariant: 'simulation' | Invariant; readonly detail: string })[]
  readonly traceSha256: string
}

/** In seconds, unless a scenario says otherwise: the sweep comes every five minutes, until no task of before can act any more. */
const GO_ON = 2_700
const MAX = 21 * 86_400

/** Simulates a scenario and holds what came of it against every invariant. */
export async function tryScenario(
  options: SimulateOptions,
  onTrace: (lines: readonly string[]) => void = () => {},
): Promise<Trial> {
  const { seed, plan } = options
  try {
    return await simulateIn({ goOn: GO_ON, longest: MAX, ...options }, async (world, simulation) => {
      const broken = await judge(world, plan?.secrets)
      onTrace(world.trace.lines)
      const { virtualSeconds, status, faults, traceSha256 } = simulation
      return { seed, virtualSeconds, status, faults, traceSha256, broken }
    })
  } catch (error) {
    if (!(error instanceof SimulationError)) throw error // a mistake of the simulation's own
    const { message, trace, virtualSeconds, faults } = error
    onTrace(trace)
    const broken = [{ invariant: 'simulation', detail: message } as const]
    // The clock may have jumped far past the longest time, to the next timer there was.
    const most = options.longest ?? MAX
    const seconds = Math.min(virtualSeconds, most)
    return { seed, virtualSeconds: seconds, status: 'unreported', faults, traceSha256: '', broken }
  }
}

/** Everything of a world that has come to rest that is against an invariant. @param secrets that its shows refer to */
export async function judge(world: World, secrets: ShowSecrets = {}): Promise<readonly Broken[]> {
  await calm(world)
  return checkInvariants(await gatherEvidence(world, valuesOf(secrets)))
}

/**
 * Waits until nothing runs: an app whose server is out is told for a day. What is still wrong with the platform then must not
 * hide what it knows.
 */
async function calm({ platform, clock, scheduler, executions, until }: World): Promise<void> {
  await scheduler.drive(async () => {
    await until(() => executions.running.length === 0)
    if (!platform.isUp) platform.start()
    platform.lag(0)
    await setProjectStatus(platform, 'ACTIVE', clock)
  })
}

const valuesOf = (secrets: ShowSecrets) =>
  Object.entries(secrets).flatMap(([name, fields]) =>
    Object.entries(fields).map(([key, value]) => ({ name: `the show’s secret ${name}#${key}`, value })),
  )
