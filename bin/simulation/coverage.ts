import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { readDefinition } from '../../lib/constructs/deploy/definition.ts'
import type { Coverage } from '../../local/simulation/coverage/coverage.ts'
import {
  type Covered,
  type CoveredDefinition,
  missedPlaces,
  rareStrikes,
} from '../../local/simulation/coverage/missed.ts'
import { root } from '../local/root.ts'

/** Strikes that a fault has at each site in 500 seeds, if it is not rare. */
const OFTEN = 20
const EXTENSION = '.asl.json'

/** Reports how much of the machines and sites was reached, with what was not, by name. */
export function coverageReport(coverage: Coverage) {
  const machines = Object.entries(readMachines())
  const executed = machines.filter(([machine]) =>
    Object.keys(coverage.states).some((one) => one.startsWith(`${machine}: `)),
  )
  return {
    ...coverage,
    machines: { of: machines.length, missed: machines.filter((one) => !executed.includes(one)).map(([name]) => name) },
    places: missedPlaces(coverage, Object.fromEntries(executed)),
    struck: { once: rareStrikes(coverage, 1), often: rareStrikes(coverage, OFTEN) },
  }
}

export type CoverageReport = ReturnType<typeof coverageReport>

/** Describes a coverage in lines. Places are listed by name; faults that never struck are in the JSON object only. */
export function describeCoverage({ machines, places, struck, errors, calls }: CoverageReport): string[] {
  const { states, retries, catches } = places
  const share = (what: string, { of, missed }: Covered) => `${of - missed.length} of ${of} ${what}`
  const sites = Object.keys(calls).length
  return [
    `Reached: ${share('machines', machines)}, and of these ${share('states', states)}, ${share('retries', retries)} and ${share('catches', catches)}, with ${Object.keys(errors).length} errors.`,
    `Struck: ${share(`kinds of faults at ${sites} sites (operation and state of the show)`, struck.once)}, ${OFTEN} times or more ${share('of them', struck.often)}.`,
    ...list('No execution of', machines),
    ...list('Never entered', states),
    ...list('Never retried', retries),
    ...list('Never caught', catches),
  ]
}

const list = (title: string, { missed }: Covered) => (missed.length === 0 ? [] : [`${title}: ${missed.join('; ')}.`])

function readMachines(): Record<string, CoveredDefinition> {
  const names = globSync(`statemachines/*${EXTENSION}`, { cwd: root }).map((file) =>
    basename(join(root, file), EXTENSION),
  )
  return Object.fromEntries(names.toSorted().map((name) => [name, JSON.parse(readDefinition(name).text)]))
}
