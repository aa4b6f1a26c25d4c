import { type CallSite, type FaultKind, faultsOf } from '../faults/fault.ts'

/** One fault at one place: the first call of a site, in the first of the reference shows that has it. */
export interface Case {
  readonly reference: string
  readonly site: CallSite
  readonly kind: FaultKind
}

/** Names a site in one line, as the table does. */
export const caseNameOf = ({ caller, operation }: CallSite) => `${caller} -> ${operation}`

/** Sorts sites by name: their first calls depend on the seed. */
const casesInOrder = <Site extends CallSite>(sites: readonly Site[]): Site[] =>
  sites.toSorted((one, other) => (caseNameOf(one) < caseNameOf(other) ? -1 : 1))

/** A site and the name of the reference show in which it is tried. */
export type TriedSite = CallSite & { readonly reference: string }

/** Returns true for a fault that the random seeds try: a crashed invocation stands for functions that are killed. */
export const isLeftToSeeds = (kind: FaultKind): boolean =>
  kind.startsWith('killed') || kind === 'out of memory' || kind === 'slow'

/** Returns the sites whose faults are tried one by one. Starts of executions are left to the random seeds. */
export const triedSites = <Site extends CallSite>(sites: readonly Site[]): Site[] =>
  casesInOrder(sites.filter(({ target }) => target !== 'execution'))

/** Returns every fault that applies to each site, without those that are left to the random seeds. */
export const casesOf = (sites: readonly TriedSite[]): Case[] =>
  triedSites(sites).flatMap(({ reference, caller, target, operation }) => {
    const site = { caller, target, operation }
    const kinds = faultsOf(site).filter((kind) => !isLeftToSeeds(kind))
    return kinds.map((kind) => ({ reference, site, kind }))
  })
