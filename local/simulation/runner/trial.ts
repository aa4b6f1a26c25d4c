import { setProjectStatus } from '../chaos/project-status.ts'
import type { Coverage } from '../coverage/coverage.ts'
import type { DeploymentPlan } from '../deploying/deployment-plan.ts'
import { removeStack } from '../deploying/remove-stack.ts'
import { decideSiteFaults } from '../faults/site-faults.ts'
import type { Plan } from '../generator/plan.ts'
import type { GeneratedSecrets } from '../generator/secrets.ts'
import { type Evidence, gatherEvidence } from '../invariants/evidence.ts'
import { type Broken, checkInvariants, type Invariant } from '../invariants/invariants.ts'
import { type Outcome, outcomeOf } from '../outcomes/outcome.ts'
import { type SimulateOptions, type Simulation, SimulationError, simulateIn } from '../simulate.ts'
import { visitEverything } from '../visits/visit-everything.ts'
import type { World } from '../world.ts'

export type Scenario = Omit<SimulateOptions, 'assembly' | 'seed'>

export interface Trial {
  readonly seed: number
  readonly virtualSeconds: number
  readonly status: Simulation['status']
  readonly faults: Simulation['faults']
  readonly coverage: Coverage
  /** Violations; `simulation` if it did not finish. */
  readonly broken: readonly (Broken | { readonly invariant: 'simulation' | Invariant; readonly detail: string })[]
  /** Undefined if it did not finish. */
  readonly outcome?: Outcome
}

/** Default seconds after the show: the sweep runs every five minutes, until no earlier task can act any more. */
export const EXTRA_SECONDS = 2_700
const MAX_SECONDS = 21 * 86_400

/** Receives what a trial leaves, beside its result. */
interface Watcher {
  readonly onTrace?: (lines: readonly string[]) => void
  /** Not called for a simulation that does not finish. */
  readonly onEvidence?: (evidence: Evidence) => void
}

/** Simulates a seed, and checks the invariants of its world at rest. */
export async function tryScenario(options: SimulateOptions, { onTrace, onEvidence }: Watcher = {}): Promise<Trial> {
  const { seed, plan } = options
  try {
    return await simulateIn(
      { extraSeconds: EXTRA_SECONDS, maxSeconds: MAX_SECONDS, ...options },
      async (world, simulation) => {
        await visitAtRest(world, seed)
        const evidence = await evidenceOf(world, plan)
        onEvidence?.(evidence)
        const [broken, outcome] = [checkInvariants(evidence), outcomeOf(evidence)]
        onTrace?.(world.trace.lines)
        const { virtualSeconds, status, faults } = simulation
        const coverage = world.takenCoverage() // with what the check itself has awaited
        return { seed, virtualSeconds, status, faults, coverage, broken, outcome }
      },
    )
  } catch (error) {
    if (!(error instanceof SimulationError)) throw error // a bug of the simulation
    const { message, trace, virtualSeconds, faults, coverage } = error
    onTrace?.(trace)
    const broken = [{ invariant: 'simulation', detail: message } as const]
    // The clock may have jumped far past the limit, to the next timer.
    const max = options.maxSeconds ?? MAX_SECONDS
    const seconds = Math.min(virtualSeconds, max)
    return { seed, virtualSeconds: seconds, status: 'unreported', faults, coverage, broken }
  }
}

/** Waits until a world is at rest, and visits everything that it shows. */
async function visitAtRest(world: World, seed: number): Promise<void> {
  await awaitRest(world)
  world.faults.end()
  world.visitor.rest()
  world.guests.visitor.rest()
  await world.scheduler.drive(() => visitEverything(world, seed))
}

/** Waits until a world is at rest, and checks the invariants. @param secrets secrets of its shows */
export const checkWorld = async (world: World, secrets: GeneratedSecrets = {}): Promise<readonly Broken[]> =>
  checkInvariants(await evidenceAtRest(world, secrets))

async function evidenceAtRest(world: World, secrets: GeneratedSecrets): Promise<Evidence> {
  await awaitRest(world)
  return gatherEvidence(world, valuesOf(secrets))
}

/** Returns the evidence of a world at rest, and then of the removal of its stack. */
async function evidenceOf(world: World, { secrets, deployment }: Partial<Plan> = {}): Promise<Evidence> {
  const evidence = await evidenceAtRest(world, secrets ?? {})
  return deployment ? withRemoval(world, deployment, evidence) : evidence
}

/** Copies a collection, which would otherwise grow. */
function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return [...value]
  if (value instanceof Set) return new Set(value)
  return value instanceof Map ? new Map(value) : value
}

/** Removes the stack. Returns the evidence of before, with what only the removal adds. */
async function withRemoval(world: World, deployment: DeploymentPlan, evidence: Evidence): Promise<Evidence> {
  const before = Object.entries(evidence).map(([name, value]) => [name, copyOf(value)])
  world.faults.decideBy(decideSiteFaults(deployment.faults))
  await world.scheduler.drive(() => removeStack(world, deployment))
  const { output, stackSteps, secrets } = evidence
  const removalTrace = evidence.trace.filter(({ at }) => at >= evidence.now)
  return {
    ...Object.fromEntries(before),
    output,
    stackSteps,
    removalTrace,
    secrets: [...secrets, ...world.handedOut.all],
  }
}

/**
 * Waits until nothing runs: callbacks are retried for a day. Ends outages of the platform, whose records are read
 * afterwards.
 */
async function awaitRest({ platform, clock, scheduler, executions, until }: World): Promise<void> {
  await scheduler.drive(async () => {
    await until(() => executions.running.length === 0)
    if (!platform.isUp) platform.start()
    platform.lag(0)
    await setProjectStatus(platform, 'ACTIVE', clock)
  })
}

const valuesOf = (secrets: GeneratedSecrets) =>
  Object.entries(secrets).flatMap(([name, fields]) =>
    Object.entries(fields).map(([key, value]) => ({ name: `the show’s secret ${name}#${key}`, value })),
  )
