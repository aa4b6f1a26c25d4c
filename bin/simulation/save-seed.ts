import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Assembly } from '../../local/cloud/assembly.ts'
import type { Evidence } from '../../local/simulation/invariants/evidence.ts'
import { observationsOf } from '../../local/simulation/outcomes/outcome.ts'
import { scenarioOf } from '../../local/simulation/runner/scenario.ts'
import { tryScenario } from '../../local/simulation/runner/trial.ts'

export interface SavedSeed {
  readonly assembly: Assembly
  readonly seed: number
  /** Path of the folder, which is created. */
  readonly folder: string
}

const isText = (text: string) => !text.includes('\0')

/** Simulates a seed and saves what can be observed of it: a file for each part of its outcome, and its documents. */
export async function saveSeed({ assembly, seed, folder }: SavedSeed): Promise<void> {
  let evidence: Evidence | undefined
  const { broken } = await tryScenario(
    { assembly, seed, ...scenarioOf(seed) },
    { onEvidence: (all) => (evidence = all) },
  )
  if (!evidence) throw new Error(`Seed ${seed} does not finish: ${broken[0]?.detail} Use --trace instead.`)
  const observations = Object.entries(observationsOf(evidence))
  const files = [
    ...observations.map(([part, lines]) => [`${part}.txt`, lines.map((line) => `${line}\n`).join('')] as const),
    ...[...evidence.objects].flatMap(([key, { text }]) => (isText(text) ? [[`objects/${key}`, text] as const] : [])),
  ]
  for (const [name, text] of files) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  process.stdout.write(`${files.length} files of seed ${seed} are in ${folder}.\n`)
  for (const { invariant, detail } of broken) process.stdout.write(`It breaks “${invariant}”: ${detail}\n`)
  if (broken.length > 0) process.exitCode = 1
}
