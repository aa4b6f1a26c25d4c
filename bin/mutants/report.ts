import type { Verdict } from '../../local/simulation/mutants/try-mutants.ts'
import type { TestVerdict } from './try-by-tests.ts'

/** The outcome of one mutant. */
export interface Finding {
  readonly at: string
  readonly kind: string
  readonly what: string
  readonly caught: boolean
  /** Reason for which a planted mistake has no effect; null if none is known. */
  readonly harmless: string | null
  /** The simulation’s part; null if it was not asked. */
  readonly simulation: Omit<Verdict, 'mutant'> | null
  /** The first test that fails; null if none does or none was asked. */
  readonly test: string | null
}

export interface MutantsReport {
  /** Number of mutants from which these were drawn. */
  readonly of: number
  /** Seeds of the simulation; null if it was not asked. */
  readonly seeds: number | null
  readonly seconds: number
  readonly caught: number
  readonly areas: readonly Area[]
  readonly findings: readonly Finding[]
}

interface Area {
  readonly area: string
  readonly mutants: number
  readonly caught: number
  /** Mutants in code that no seed executes. */
  readonly unreached: number
}

interface Results {
  readonly simulation: readonly Verdict[] | undefined
  readonly tests: readonly TestVerdict[] | undefined
}

/** Combines the outcomes by the simulation and by the tests, sorted by place. */
export function findingsOf({ simulation, tests }: Results): Finding[] {
  const mutants = new Set([...(simulation ?? []), ...(tests ?? [])].map(({ mutant }) => mutant))
  const findings = [...mutants].map((mutant): Finding => {
    const simulated = simulation?.find((one) => one.mutant === mutant)
    const test = tests?.find((one) => one.mutant === mutant)?.test ?? null
    const { mutant: _, ...found } = simulated ?? {}
    const caught = test !== null || simulated?.caught !== undefined
    const { at, kind, what, harmless = null } = mutant
    return { at, kind, what, caught, harmless, simulation: simulated ? (found as Finding['simulation']) : null, test }
  })
  return findings.toSorted((one, other) => one.at.localeCompare(other.at, 'en', { numeric: true }))
}

const areaOf = ({ at }: Finding) =>
  at
    .split('/')
    .slice(0, at.startsWith('lib/') ? 2 : 1)
    .join('/')

/** Counts the findings by the folder of the source. */
export const areasOf = (findings: readonly Finding[]): Area[] =>
  [...Map.groupBy(findings, areaOf)].map(([area, all]) => ({
    area,
    mutants: all.length,
    caught: all.filter(({ caught }) => caught).length,
    unreached: all.filter(({ simulation }) => simulation?.reachedBy === 0).length,
  }))

const share = (part: number, whole: number) => `${Math.round((part / Math.max(whole, 1)) * 100)} %`

/** Describes a finding in one line. */
export function describeFinding({ at, what, caught, harmless, simulation, test }: Finding): string {
  const by = simulation?.caught
  if (by) return `caught by seed ${by.seed}, “${by.invariant}”: ${at} ${what}`
  if (caught) return `caught by ${test}: ${at} ${what}`
  if (harmless !== null) return `survives, and is harmless: ${at} ${what}. ${harmless}`
  if (!simulation) return `survives: ${at} ${what}`
  return `survives (${whyOf(simulation)}): ${at} ${what}`
}

function whyOf({ reachedBy, simulated, changed: [first, ...others] }: Omit<Verdict, 'mutant'>): string {
  if (reachedBy === 0) return 'no seed executes it'
  if (!first) return `no outcome changes in ${simulated} seeds`
  const beside =
    others.length > 0 ? ` and ${others.length} more of ${simulated} seeds` : ` of ${simulated} simulated ones`
  return `it changes the ${first.parts.join(', ')} of seed ${first.seed}${beside}`
}

/** Returns true for a mutant that nothing catches, and that changes an outcome: `npm run simulate` reports it, without a judgement. */
const isNoticed = ({ caught, harmless, simulation }: Finding) =>
  !caught && harmless === null && (simulation?.changed ?? []).length > 0

/** Describes the shares, and every survivor. */
export function summarizeMutants({ of, seeds, seconds, caught, areas, findings }: MutantsReport): string {
  const by = Map.groupBy(
    findings.flatMap(({ simulation }) => simulation?.caught ?? []),
    ({ invariant }) => invariant,
  )
  const harmful = findings.filter((one) => one.caught || one.harmless === null).length
  const noticed = findings.filter(isNoticed).length
  const judges = [...by].map(([invariant, all]) => [invariant, all.length] as const)
  const lines = [
    ...findings.filter((one) => !one.caught).map(describeFinding),
    ...areas.map(
      ({ area, mutants, caught, unreached }) =>
        `${area.padEnd(16)} ${caught} of ${mutants} caught (${share(caught, mutants)})${unreached > 0 ? `, ${unreached} that no seed executes` : ''}`,
    ),
    ...judges.toSorted(([, one], [, other]) => other - one).map(([invariant, count]) => `${invariant}: ${count}`),
    `${caught} of ${harmful} mutants are caught (${share(caught, harmful)}), of ${of}${seeds === null ? '' : `, by ${seeds} seeds`}, in ${seconds.toFixed(0)} s.`,
    ...(noticed > 0
      ? [`${noticed} more change the outcome of a seed (${share(caught + noticed, harmful)} together).`]
      : []),
  ]
  return `${lines.join('\n')}\n`
}
