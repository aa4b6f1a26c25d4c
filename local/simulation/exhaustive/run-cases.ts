import type { ShowResult } from '../../../lib/show/state/result.ts'
import type { Assembly } from '../../cloud/assembly.ts'
import { orderFault } from '../faults/ordered.ts'
import { judge } from '../runner/trial.ts'
import { type SimulateOptions, SimulationError, simulateIn } from '../simulate.ts'
import { type Case, nameOf, type TriedSite } from './cases.ts'
import { compare } from './outcome.ts'
import { REFERENCE_SEED, type Reference, readReferences } from './reference.ts'

export interface CaseOutcome extends Case {
  /** What the fault has changed, in a few words. */
  readonly became: string
  /** False where there was nothing to strike: an answer without a body cannot be garbage. */
  readonly struck: boolean
  /** What is against an invariant. */
  readonly broken: readonly { readonly invariant: string; readonly detail: string }[]
}

/** A reference show without a fault: what its cases are compared with. */
export interface Faultless {
  readonly name: string
  readonly result: ShowResult | null
}

/** Seconds that the world goes on after the show: the sweep ends what was left, once the longest task is surely over. */
const GO_ON = 1_500
/** Seconds after which a show that does not end is given up. */
const MAX = 86_400

const optionsOf = (assembly: Assembly, { show, plan, chaos }: Reference): SimulateOptions => ({
  assembly,
  show,
  plan,
  ...(chaos && { chaos }),
  seed: REFERENCE_SEED,
  goOn: GO_ON,
  longest: MAX,
})

/**
 * Runs the reference shows without a fault, and finds where calls come from.
 * @throws Error when an invariant does not hold without any fault
 */
export async function runFaultless(assembly: Assembly) {
  const faultless: Faultless[] = []
  const sites = new Map<string, TriedSite>()
  for (const reference of readReferences()) {
    const { name, plan } = reference
    await simulateIn(optionsOf(assembly, reference), async (world, { result, sites: seen }) => {
      const [broken] = await judge(world, plan.secrets)
      if (broken)
        throw new Error(`The reference show “${name}” breaks “${broken.invariant}” by itself: ${broken.detail}`)
      faultless.push({ name, result })
      for (const { caller, target, operation } of seen) {
        const site = { caller, target, operation, reference: name }
        if (!sites.has(nameOf(site))) sites.set(nameOf(site), site)
      }
    })
  }
  return { faultless: faultless as readonly Faultless[], sites: [...sites.values()] }
}

/** Tries one fault on its reference show. */
export async function runCase(assembly: Assembly, one: Case, { result }: Faultless): Promise<CaseOutcome> {
  const reference = readReferences().find(({ name }) => name === one.reference)
  if (!reference) throw new Error(`There is no reference show ${one.reference}.`)
  const options = { ...optionsOf(assembly, reference), decide: orderFault(one.site, { kind: one.kind }) }
  try {
    return await simulateIn(options, async (world, simulation) => ({
      ...one,
      became: simulation.status === 'refused' ? 'refused' : compare(simulation.result, result),
      struck: (simulation.faults[one.kind] ?? 0) > 0,
      broken: await judge(world, reference.plan.secrets),
    }))
  } catch (error) {
    if (!(error instanceof SimulationError)) throw error
    const broken = [{ invariant: 'simulation', detail: error.message }]
    return { ...one, became: 'no end', struck: true, broken }
  }
}
