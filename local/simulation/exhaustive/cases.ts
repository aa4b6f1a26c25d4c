import { type CallSite, type FaultKind, faultsOf } from '../faults/fault.ts'

/** One fault at one place: the first call of a site. */
export interface Case {
  readonly site: CallSite
  readonly kind: FaultKind
}

/** A site in one line, as the table names it. */
export const nameOf = ({ caller, operation }: CallSite) => `${caller} -> ${operation}`

/** Sites in an order of their own, since which comes first is a matter of the seed. */
export const inOrder = <Site extends CallSite>(sites: readonly Site[]): Site[] =>
  sites.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1))

/** Every fault that can strike each of the sites. */
export const casesOf = (sites: readonly CallSite[]): Case[] =>
  inOrder(sites).flatMap((site) => faultsOf(site).map((kind) => ({ site, kind })))
