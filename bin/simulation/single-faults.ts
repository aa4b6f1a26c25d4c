import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Assembly } from '../../local/cloud/assembly.ts'
import { runAllCases } from '../../local/simulation/exhaustive/run-all.ts'
import type { CaseOutcome } from '../../local/simulation/exhaustive/run-cases.ts'
import { renderOutcomes } from '../../local/simulation/exhaustive/table.ts'
import { generatedBlock } from '../docs/generated-block.ts'
import { root } from '../local/root.ts'

export interface SingleFaultsOptions {
  readonly assembly: Assembly
  readonly json: boolean
  readonly write: boolean
  readonly signal: AbortSignal
}

const FAULTS = 'docs/faults.md'
const block = generatedBlock(FAULTS, 'faults')

/** Tries every single fault at every call site, and prints or writes the outcomes. */
export async function trySingleFaults({ assembly, json, write, signal }: SingleFaultsOptions): Promise<void> {
  const startedAt = performance.now()
  const onOutcome = (one: CaseOutcome, done: number, of: number) => {
    if (one.broken.length > 0) progress(describeCase(one))
    if (done % Math.ceil(of / 20) === 0) progress(`${done} of ${of} cases`)
  }
  const outcomes = await runAllCases({ assembly, onOutcome, signal })
  const seconds = (performance.now() - startedAt) / 1000
  const broken = outcomes.filter((one) => one.broken.length > 0)
  if (broken.length > 0) process.exitCode = 1
  if (write) writeTable(outcomes)
  process.stdout.write(json ? toJson(outcomes, seconds) : summarize(outcomes, broken, seconds))
}

function writeTable(outcomes: readonly CaseOutcome[]): void {
  const file = join(root, FAULTS)
  const current = existsSync(file) ? readFileSync(file, 'utf8') : block.alone
  writeFileSync(file, block.replaceIn(current, renderOutcomes(outcomes)))
}

const progress = (text: string) => process.stderr.write(`… ${text}\n`)

const describeCase = ({ reference, site: { caller, operation }, kind, broken }: CaseOutcome) =>
  `${reference}: ${caller} -> ${operation}, ${kind}: ${broken.map(({ invariant, detail }) => `${invariant}: ${detail}`).join('; ')}`

function toJson(outcomes: readonly CaseOutcome[], seconds: number): string {
  const broken = outcomes
    .filter((one) => one.broken.length > 0)
    .map(({ reference, site: { caller, operation }, kind, broken }) => ({ reference, caller, operation, kind, broken }))
  return `${JSON.stringify({ cases: outcomes.length, seconds, broken }, null, 2)}\n`
}

function summarize(outcomes: readonly CaseOutcome[], broken: readonly CaseOutcome[], seconds: number): string {
  const harmless = outcomes.filter(({ change, isStruck }) => isStruck && change === 'nothing').length
  const unstruck = outcomes.filter(({ isStruck }) => !isStruck).length
  const lines = [
    `${outcomes.length} cases in ${seconds.toFixed(0)} s: ${harmless} changed nothing, ${unstruck} were not injected.`,
    ...broken.map(describeCase),
    broken.length > 0 ? `${broken.length} cases break an invariant.` : 'Every invariant holds in all of them.',
  ]
  return `${lines.join('\n')}\n`
}
