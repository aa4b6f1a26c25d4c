import { type CallSite, type FaultKind, faultsOf } from '../faults/fault.ts'

/** One fault at one place: the first call of a site, in the first of the reference shows that has it. */
export interface Case {
  /** Its name. */
  readonly reference: string
  readonly site: CallSite
  readonly kind: FaultKind
}

/** A site in one line, as the table names it. */
export const nameOf = ({ caller, operation }: CallSite) => `${caller} -> ${operation}`

/** Sites in an order of their own, since which comes first is a matter of the seed. */
export const inOrder = <Site extends CallSite>(sites: readonly Site[]): Site[] =>
  sites.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1))

/** A site with the reference show in which it is tried. */
export type TriedSite = CallSite & { readonly reference: string }

/**
 * Every fault that can strike each of the sites. A function that is killed at a call is left to the random seeds: it is the
 * invocation that crashes, which has its own cases.
 */
export const casesOf = (sites: readonly TriedSite[]): Case[] =>
  inOrder(sites).flatMap(({ reference, caller, target, operation }) => {
    const site = { caller, target, operation }
    const kinds = faultsOf(site).filter((kind) => !kind.startsWith('killed'))
    return kinds.map((kind) => ({ reference, site, kind }))
  })
