import { writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type { Assembly } from '../../local/cloud/assembly.ts'
import { renderSites, SITES } from '../../local/simulation/generator/strikes/rare-sites.ts'
import {
  type Change,
  changesOf,
  OUTCOMES,
  readOutcomes,
  renderOutcomes,
  withOutcomes,
} from '../../local/simulation/outcomes/recorded-outcomes.ts'
import { runSeeds, type SeedsReport } from '../../local/simulation/runner/run-seeds.ts'
import { scenarioOf } from '../../local/simulation/runner/scenario.ts'
import { showScenarios } from '../../local/simulation/runner/show-scenario.ts'
import type { ScenarioOf } from '../../local/simulation/runner/worker.ts'
import { type Shrunk, shrink } from '../../local/simulation/shrinking/shrink.ts'
import { coverageReport, describeCoverage } from './coverage.ts'

export interface SeedsOptions {
  readonly assembly: Assembly
  readonly first: number
  readonly count: number
  /** Path of a show document. @default a random show for each seed */
  readonly file?: string | undefined
  readonly json: boolean
  readonly trace: boolean
  /** Writes the table of sites, by which later seeds strike what is rare. */
  readonly write: boolean
  /** Records the outcomes instead of comparing them, unless an invariant is broken. */
  readonly record: boolean
  readonly signal: AbortSignal
}

/** Seconds for shrinking a failing seed. */
const SHRINK_TIMEOUT = 120

/** Simulates seeds under random faults and prints the results. Shrinks the first seed that breaks an invariant. */
export async function simulateSeeds(options: SeedsOptions): Promise<void> {
  const { assembly, first, count, file, json, trace, write, record, signal } = options
  const scenarios = file === undefined ? undefined : showScenarios(pathToFileURL(file))
  const report = await runSeeds({
    assembly,
    scenarios: scenarios ?? new URL('../../local/simulation/runner/scenario.ts', import.meta.url),
    first,
    count,
    signal,
    onTrial: ({ seed, broken }, done) => {
      for (const { invariant, detail } of broken) progress(`seed ${seed} breaks “${invariant}”: ${detail}`)
      if (count >= 20 && done % Math.ceil(count / 10) === 0) progress(`${done} of ${count} seeds`)
    },
  })
  if (signal.aborted) return
  if (write) writeFileSync(SITES, renderSites(report.coverage, count))
  const recorded = readOutcomes()
  const isRecorded = record && report.broken.length === 0
  if (isRecorded) writeFileSync(OUTCOMES, renderOutcomes(withOutcomes(recorded, report.outcomes)))
  const changes = scenarios || record ? [] : changesOf(report.outcomes, recorded)
  const coverage = coverageReport(report.coverage)
  const { outcomes, ...counts } = report
  process.stdout.write(
    json
      ? `${JSON.stringify({ ...counts, outcomes: Object.fromEntries(outcomes), changes, coverage }, null, 2)}\n`
      : summarize(report, changes, describeCoverage(coverage)),
  )
  if (record && !isRecorded) progress('no outcome is recorded, because an invariant is broken')
  if (report.broken.length > 0 || changes.length > 0) process.exitCode = 1

  const seed = report.broken[0]?.seed ?? (count === 1 && trace ? first : undefined)
  if (seed === undefined || json) return
  const of =
    scenarios === undefined ? scenarioOf : ((await import(scenarios.href)) as { scenarioOf: ScenarioOf }).scenarioOf
  if (report.broken.length > 0) progress(`shrinking seed ${seed} for at most ${SHRINK_TIMEOUT} s`)
  const timeout = AbortSignal.any([signal, AbortSignal.timeout(SHRINK_TIMEOUT * 1000)])
  process.stdout.write(describe(await shrink({ assembly, seed, scenario: of(seed), signal: timeout })))
}

const progress = (text: string) => process.stderr.write(`… ${text}\n`)

const plural = (count: number, noun: string) => `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`

function summarize(
  { seeds, virtualHours, seconds, faults, broken }: SeedsReport,
  changes: readonly Change[],
  coverage: readonly string[],
): string {
  const kinds = Object.entries(faults).sort(([, one], [, other]) => other - one)
  const total = kinds.reduce((sum, [, times]) => sum + times, 0)
  const rate = `${(seeds / seconds).toFixed(2)} seeds per second`
  const hours = virtualHours.toLocaleString('en', { maximumFractionDigits: 1 })
  const lines = [
    `${plural(seeds, 'seed')}, ${hours} hours of shows in ${seconds.toFixed(1)} s: ${rate}.`,
    `${plural(total, 'fault')}${total > 0 ? `: ${kinds.map(([kind, times]) => `${kind} ${times}`).join(', ')}` : ''}.`,
    ...(seeds > 1 ? coverage : []),
    ...broken.map(({ seed, invariant, detail }) => `Seed ${seed} breaks “${invariant}”: ${detail}`),
    broken.length > 0
      ? `Repeat the first of them with npm run simulate -- --seed ${broken[0]?.seed} --trace`
      : 'Every invariant holds.',
    ...describeChanges(changes),
  ]
  return `${lines.join('\n')}\n`
}

const describeChanges = (changes: readonly Change[]) => [
  ...changes.map(({ seed, parts }) => `The outcome of seed ${seed} is not the recorded one: ${parts.join(', ')}.`),
  ...(changes.length > 0
    ? [
        'If that is intended, record the outcomes with npm run simulate -- --seeds 100 --record',
        `Otherwise save both with --seed ${changes[0]?.seed} --save <folder>, here and before the change, and compare the folders.`,
      ]
    : []),
]

/** Describes the trace, and the parts of the seed that it needs. */
function describe({ trial, trace, needed, of }: Shrunk): string {
  const [broken] = trial.broken
  const lines = [
    '',
    ...trace,
    '',
    ...(needed && broken
      ? [
          `The shrunk seed ${trial.seed} breaks “${broken.invariant}”: ${broken.detail}`,
          `It needs ${needed.length} of ${of} parts of its show, its plan and its faults:`,
          ...needed.map(({ words }) => `  ${words}`),
        ]
      : [`Seed ${trial.seed} breaks no invariant. Its trace is above.`]),
  ]
  return `${lines.join('\n')}\n`
}
