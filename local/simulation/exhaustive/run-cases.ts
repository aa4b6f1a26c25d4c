import type { ShowResult } from '../../../lib/workflow/documents/result.ts'
import type { Assembly } from '../../cloud/assembly.ts'
import { orderFault } from '../faults/ordered.ts'
import { type SimulateOptions, type Simulation, SimulationError, simulateIn } from '../simulate.ts'
import type { World } from '../world.ts'
import { type Case, nameOf, type TriedSite } from './cases.ts'
import { compare } from './outcome.ts'
import { REFERENCE_SEED, type Reference, readReferences } from './reference.ts'

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

/** A reference show without a fault: what its cases are compared with. */
export interface Faultless {
  readonly reference: Reference
  readonly result: ShowResult | null
}

const optionsOf = (assembly: Assembly, { show, plan, chaos }: Reference): SimulateOptions => ({
  assembly,
  show,
  plan,
  ...(chaos && { chaos }),
  seed: REFERENCE_SEED,
  goOn: GO_ON,
  longest: LONGEST,
})

/**
 * Runs the reference shows without a fault, and finds where calls come from.
 * @throws Error when an invariant does not hold without any fault
 */
export async function runFaultless(assembly: Assembly, check: Check) {
  const faultless = new Map<string, Faultless>()
  const sites = new Map<string, TriedSite>()
  for (const reference of readReferences())
    await simulateIn(optionsOf(assembly, reference), async (world, simulation) => {
      const [broken] = await check(world, simulation)
      if (broken)
        throw new Error(`The reference show “${reference.name}” breaks ${broken.invariant} by itself: ${broken.detail}`)
      faultless.set(reference.name, { reference, result: simulation.result })
      for (const site of simulation.sites)
        if (!sites.has(nameOf(site))) sites.set(nameOf(site), { ...site, reference: reference.name })
    })
  return { faultless: faultless as ReadonlyMap<string, Faultless>, sites: [...sites.values()] }
}

/** Runs one case, which breaks off where the world stands still. */
export async function runCase(
  assembly: Assembly,
  one: Case,
  { reference, result }: Faultless,
  check: Check,
): Promise<CaseOutcome> {
  const decide = orderFault(one.site, { kind: one.kind })
  try {
    return await simulateIn({ ...optionsOf(assembly, reference), decide }, async (world, simulation) => ({
      ...one,
      became: compare(simulation.result, result),
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
