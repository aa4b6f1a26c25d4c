import type { ShowResult } from '../../../lib/show/state/result.ts'
import type { Assembly } from '../../cloud/assembly.ts'
import { orderFault } from '../faults/order-fault.ts'
import { checkWorld } from '../runner/trial.ts'
import { type SimulateOptions, SimulationError, simulateIn } from '../simulate.ts'
import { type Case, caseNameOf, type TriedSite } from './cases.ts'
import { describeChange } from './outcome.ts'
import { REFERENCE_SEED, type Reference, readReferences } from './reference.ts'

export interface CaseOutcome extends Case {
  /** The effect of the fault, in a few words. */
  readonly change: string
  /** False if the fault did not apply: an answer without a body cannot be corrupted. */
  readonly isStruck: boolean
  readonly broken: readonly { readonly invariant: string; readonly detail: string }[]
}

/** The result of a reference show without a fault. */
export interface Faultless {
  readonly name: string
  readonly result: ShowResult | null
}

/** Seconds that the simulation continues after the show: the sweep stops the rest once the longest task is over. */
const EXTRA_SECONDS = 1_500
/** Seconds after which a show is given up. */
const MAX = 86_400

const optionsOf = (assembly: Assembly, { show, plan, chaos }: Reference): SimulateOptions => ({
  assembly,
  show,
  plan,
  ...(chaos && { chaos }),
  seed: REFERENCE_SEED,
  extraSeconds: EXTRA_SECONDS,
  maxSeconds: MAX,
  leftOut: { StartPublish: 'no fault of publishing changes the result of a show' },
})

/**
 * Runs the reference shows without faults, and collects the sites of calls.
 * @throws Error when an invariant does not hold without any fault
 */
export async function runFaultless(assembly: Assembly) {
  const faultless: Faultless[] = []
  const sites = new Map<string, TriedSite>()
  for (const reference of readReferences()) {
    const { name, plan } = reference
    await simulateIn(optionsOf(assembly, reference), async (world, { result, sites: called }) => {
      const [broken] = await checkWorld(world, plan.secrets)
      if (broken)
        throw new Error(`The reference show “${name}” breaks “${broken.invariant}” without any fault: ${broken.detail}`)
      faultless.push({ name, result })
      for (const { caller, target, operation } of called) {
        const site = { caller, target, operation, reference: name }
        if (!sites.has(caseNameOf(site))) sites.set(caseNameOf(site), site)
      }
    })
  }
  return { faultless: faultless as readonly Faultless[], sites: [...sites.values()] }
}

export async function runCase(assembly: Assembly, one: Case, { result }: Faultless): Promise<CaseOutcome> {
  const reference = readReferences().find(({ name }) => name === one.reference)
  if (!reference) throw new Error(`There is no reference show ${one.reference}.`)
  const options = { ...optionsOf(assembly, reference), decide: orderFault(one.site, { kind: one.kind }) }
  try {
    return await simulateIn(options, async (world, simulation) => ({
      ...one,
      change: simulation.status === 'refused' ? 'refused' : describeChange(simulation.result, result),
      isStruck: (simulation.faults[one.kind] ?? 0) > 0,
      broken: await checkWorld(world, reference.plan.secrets),
    }))
  } catch (error) {
    if (!(error instanceof SimulationError)) throw error
    const broken = [{ invariant: 'simulation', detail: error.message }]
    return { ...one, change: 'no end', isStruck: true, broken }
  }
}
