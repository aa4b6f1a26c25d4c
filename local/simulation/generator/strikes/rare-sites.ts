import { readFileSync } from 'node:fs'
import { type Coverage, strikeOf } from '../../coverage/coverage.ts'
import { kindsAt } from '../../coverage/missed.ts'
import { isOfPublishing } from '../../coverage/publishing-functions.ts'
import type { Decide, FaultKind } from '../../faults/fault.ts'
import type { Random } from '../../scheduling/random.ts'

/** A site of calls, as earlier seeds reached it. */
export interface Site {
  /** The operation and its place: `platform startArchive @ Watch` and `lambda EncodePiece @ publishing`. */
  readonly name: string
  /** Share of seeds that call it. */
  readonly reach: number
  /** Calls in such a seed, on average. */
  readonly calls: number
  /** Strikes of each kind in 500 seeds, without those that were ordered. */
  readonly strikes: readonly { readonly kind: FaultKind; readonly times: number }[]
}

/** A fault at the n-th call of a site. */
export interface RareStrike {
  readonly site: string
  readonly kind: FaultKind
  readonly call: number
}

/** Seeds and strikes of the goal: each kind of fault strikes each site this often. */
const SEEDS = 500
const STRIKES = 20
/**
 * Ordered faults that strike the show of a seed, on average, and as many that strike its publishing: neither hides the others.
 * Most seeds have few, since many end most shows before they are live.
 */
export const FEW = 4
export const MANY = 32
/** Calls of a site among which the struck one is drawn. */
const MAX_CALL = 10
/** Bounds of the seconds of `delayed`. */
const DELAY = 20

/** The committed table of sites, which `npm run simulate -- --seeds 500 --write` writes. */
export const SITES = new URL('./sites.csv', import.meta.url)

let sites: readonly Site[] | undefined

/** Reads the table once. */
export function readSites(): readonly Site[] {
  sites ??= parseSites(readFileSync(SITES, 'utf8'))
  return sites
}

/**
 * Draws faults at sites that other faults seldom strike: the rarer the strikes of a kind, the likelier.
 * @param mean faults that strike a show, and its publishing. @default 4
 */
export function drawRareStrikes(random: Random, from: readonly Site[], mean = FEW): RareStrike[] {
  const groups = Map.groupBy(from, ({ name }) => isOfPublishing(name))
  return [...groups.values()].flatMap((sites) => drawAmong(random, sites, mean))
}

function drawAmong(random: Random, from: readonly Site[], mean: number): RareStrike[] {
  const missing = from.flatMap(({ strikes }) => strikes.map(({ times }) => Math.max(0, STRIKES - times)))
  const share = Math.min(1, (mean * SEEDS) / missing.reduce((sum, one) => sum + one, 0))
  return from.flatMap(({ name, reach, calls, strikes }) =>
    strikes.flatMap(({ kind, times }): RareStrike[] => {
      const isDrawn = random.next() < (share * Math.max(0, STRIKES - times)) / (reach * SEEDS)
      return isDrawn ? [{ site: name, kind, call: 1 + random.below(Math.min(MAX_CALL, Math.ceil(calls))) }] : []
    }),
  )
}

/** Decides the drawn faults. */
export function strikeRareSites(drawn: readonly RareStrike[]): Decide {
  const bySite = Map.groupBy(drawn, ({ site }) => site)
  const calls = new Map<string, number>()
  return ({ site }) => {
    if (!bySite.has(site)) return undefined
    const number = (calls.get(site) ?? 0) + 1
    calls.set(site, number)
    const kind = bySite.get(site)?.find(({ call }) => call === number)?.kind
    if (kind === undefined) return undefined
    return { kind, isOrdered: true, ...(kind === 'delayed' && { seconds: DELAY }) }
  }
}

const HEADER = 'site,seeds that call it,calls,strikes without ordered ones'

/** Renders the table of a coverage: one line for each site, with its strikes in the order of its kinds. */
export function renderSites({ calls, reach, strikes, ordered }: Coverage, seeds: number): string {
  const lines = Object.keys(calls).map((site) => {
    const times = kindsAt(site).map((kind) => {
      const strike = strikeOf(kind, site)
      return Math.max(0, (strikes[strike] ?? 0) - (ordered[strike] ?? 0))
    })
    return [site, reach[site], calls[site], times.join(' ')].join()
  })
  return `${HEADER},of ${seeds} seeds\n${lines.toSorted().join('\n')}\n`
}

/** Parses the table. */
export function parseSites(text: string): Site[] {
  const [header = '', ...lines] = text.trimEnd().split('\n')
  const seeds = Number(/of (\d+) seeds$/.exec(header)?.[1])
  return lines.map((line) => {
    const [name = '', reach, calls, times = ''] = line.split(',')
    const numbers = times.split(' ').map(Number)
    return {
      name,
      reach: Number(reach) / seeds,
      calls: Number(calls) / Number(reach),
      strikes: kindsAt(name).map((kind, at) => ({ kind, times: ((numbers[at] ?? 0) * SEEDS) / seeds })),
    }
  })
}
