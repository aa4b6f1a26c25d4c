import type { Assembly } from '../../cloud/assembly.ts'
import { orderFault } from '../faults/ordered.ts'
import { type SimulateOptions, type Simulation, SimulationError, simulateIn } from '../simulate.ts'
import type { World } from '../world.ts'
import type { Case } from './cases.ts'
import { compare, type Ended } from './outcome.ts'
import { REFERENCE_SEED, readReference } from './reference.ts'

/** An invariant that does not hold, and how. */
export interface Broken {
  readonly invariant: string
  readonly detail: string
}

/** Looks at a world from outside, as the show has left it. */
export type Check = (world: World, simulation: Simulation) => Promise<readonly Broken[]>

export interface CaseOutcome extends Case {
  /** What the fault has changed, in a few words. */
  readonly became: string
  /** False where the site did not call before the show was over, or there was nothing to strike. */
  readonly struck: boolean
  readonly broken: readonly Broken[]
}

/** Seconds that the world goes on after the show: the sweep ends what was left, once the longest task is surely over. */
const GO_ON = 2_400
/** Seconds after which a show that does not end is given up. */
const LONGEST = 86_400

const optionsOf = (assembly: Assembly): SimulateOptions => ({
  assembly,
  ...readReference(),
  seed: REFERENCE_SEED,
  goOn: GO_ON,
  longest: LONGEST,
})

/** The reference show without a fault: what all cases are compared with, and where calls come from. */
export async function runFaultless(assembly: Assembly, check: Check) {
  return simulateIn(optionsOf(assembly), async (world, simulation) => {
    const broken = await check(world, simulation)
    const problem = broken[0]?.detail ?? (simulation.result ? undefined : 'it left no result')
    if (problem || !simulation.result) throw new Error(`The reference show is not well without a fault: ${problem}.`)
    return { result: simulation.result, sites: simulation.sites }
  })
}

/** Runs one case, which breaks off where the world stands still. */
export async function runCase(assembly: Assembly, one: Case, faultless: Ended, check: Check): Promise<CaseOutcome> {
  const decide = orderFault(one.site, { kind: one.kind })
  try {
    return await simulateIn({ ...optionsOf(assembly), decide }, async (world, simulation) => ({
      ...one,
      became: compare(simulation.result, faultless),
      struck: (simulation.faults[one.kind] ?? 0) > 0,
      broken: await check(world, simulation),
    }))
  } catch (error) {
    if (!(error instanceof SimulationError)) throw error
    const refused = /is not valid|API answered/.test(error.message)
    if (refused) return { ...one, became: 'refused', struck: true, broken: [] }
    return { ...one, became: 'no end', struck: true, broken: [{ invariant: 'ends', detail: error.message }] }
  }
}
