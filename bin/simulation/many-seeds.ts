import { pathToFileURL } from 'node:url'
import type { Assembly } from '../../local/cloud/assembly.ts'
import { runSeeds, type SeedsReport } from '../../local/simulation/runner/run-seeds.ts'
import { scenarioOf } from '../../local/simulation/runner/scenario.ts'
import { showScenarios } from '../../local/simulation/runner/show-scenario.ts'
import type { ScenarioOf } from '../../local/simulation/runner/worker.ts'
import { type Shrunk, shrink } from '../../local/simulation/shrinking/shrink.ts'

export interface SeedsOptions {
  readonly assembly: Assembly
  readonly first: number
  readonly count: number
  /** Of a show document; a random show for each seed unless told. */
  readonly file?: string | undefined
  readonly json: boolean
  readonly trace: boolean
  readonly signal: AbortSignal
}

/** Seconds that are spent on leaving things out of a seed. */
const SHORTENING = 120

/** Simulates seeds under random faults and prints what they have come to; the first that breaks something as short as can be. */
export async function simulateSeeds(options: SeedsOptions): Promise<void> {
  const { assembly, first, count, file, json, trace, signal } = options
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
  process.stdout.write(json ? `${JSON.stringify(report, null, 2)}\n` : summarize(report))
  if (report.broken.length > 0) process.exitCode = 1

  const seed = report.broken[0]?.seed ?? (count === 1 && trace ? first : undefined)
  if (seed === undefined || json) return
  const of =
    scenarios === undefined ? scenarioOf : ((await import(scenarios.href)) as { scenarioOf: ScenarioOf }).scenarioOf
  if (report.broken.length > 0)
    progress(`leaving out of seed ${seed} what it does not need, for at most ${SHORTENING} s`)
  const patience = AbortSignal.any([signal, AbortSignal.timeout(SHORTENING * 1000)])
  process.stdout.write(describe(await shrink({ assembly, seed, scenario: of(seed), signal: patience })))
}

const progress = (words: string) => process.stderr.write(`… ${words}\n`)

const plural = (count: number, noun: string) => `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`

function summarize({ seeds, virtualHours, seconds, faults, broken }: SeedsReport): string {
  const kinds = Object.entries(faults).sort(([, one], [, other]) => other - one)
  const total = kinds.reduce((sum, [, times]) => sum + times, 0)
  const rate = `${(seeds / seconds).toFixed(2)} seeds per second`
  const hours = virtualHours.toLocaleString('en', { maximumFractionDigits: 1 })
  const lines = [
    `${plural(seeds, 'seed')}, ${hours} hours of shows in ${seconds.toFixed(1)} s: ${rate}.`,
    `${plural(total, 'fault')}${total > 0 ? `: ${kinds.map(([kind, times]) => `${kind} ${times}`).join(', ')}` : ''}.`,
    ...broken.map(({ seed, invariant, detail }) => `Seed ${seed} breaks “${invariant}”: ${detail}`),
    broken.length > 0
      ? `npm run simulate -- --seed ${broken[0]?.seed} --trace shows the first of them again.`
      : 'Every invariant holds.',
  ]
  return `${lines.join('\n')}\n`
}

/** The trace, and what of the seed was needed for it. */
function describe({ trial, trace, needed, of }: Shrunk): string {
  const [broken] = trial.broken
  const lines = [
    '',
    ...trace,
    '',
    ...(needed && broken
      ? [
          `Seed ${trial.seed} breaks “${broken.invariant}” still: ${broken.detail}`,
          `It needs ${needed.length} of ${of} parts of its show, its plan and its faults:`,
          ...needed.map(({ words }) => `  ${words}`),
        ]
      : [`Seed ${trial.seed} breaks nothing; this was its trace.`]),
  ]
  return `${lines.join('\n')}\n`
}
