import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Mutant, mutate, type ReadSource } from '../../local/simulation/mutants/mutant.ts'
import { root } from '../local/root.ts'

/** The outcome of a mutant by the unit tests. */
export interface TestVerdict {
  readonly mutant: Mutant
  /** The first test that fails. Undefined if the mutant survives. */
  readonly test?: string
}

export interface TryByTestsOptions {
  readonly read: ReadSource
  readonly mutants: readonly Mutant[]
  readonly onVerdict: (verdict: TestVerdict) => void
  readonly signal: AbortSignal
}

/** Tests of definitions, which read them as files: no module of theirs is related to one. */
const TESTS_OF_DEFINITIONS = ['test/statemachines', 'test/lib/constructs/deploy/definition.test.ts']
const MAX_OUTPUT = 256 * 1_024 * 1_024

/**
 * Runs the unit tests that are related to each mutant in a copy of the sources, until one fails.
 * @throws Error when a test fails without a mutant
 */
export async function tryByTests({ read, mutants, onVerdict, signal }: TryByTestsOptions): Promise<TestVerdict[]> {
  const folder = await mkdtemp(join(tmpdir(), 'showrunner-mutants-'))
  try {
    await copySources(folder)
    const failing = await firstFailure(folder, mutants.flatMap(filesOf), signal)
    if (failing) throw new Error(`The test “${failing}” fails without a mutant. Mend it first.`)
    const verdicts: TestVerdict[] = []
    for (const mutant of mutants) {
      if (signal.aborted) break
      for (const [file, text] of Object.entries(mutate(mutant, read))) await writeFile(join(folder, file), text)
      const test = await firstFailure(folder, filesOf(mutant), signal)
      for (const file of filesOf(mutant)) await writeFile(join(folder, file), read(file))
      const verdict = { mutant, ...(test !== undefined && { test }) }
      verdicts.push(verdict)
      onVerdict(verdict)
    }
    return verdicts
  } finally {
    await rm(folder, { recursive: true })
  }
}

const filesOf = ({ edits }: Mutant) => edits.map(({ file }) => file)

/** Copies every file that git knows, as it is now. */
async function copySources(folder: string): Promise<void> {
  const { stdout } = await promisify(execFile)('git', ['ls-files', '-z'], { cwd: root, maxBuffer: MAX_OUTPUT })
  for (const file of stdout.split('\0').filter(Boolean)) await cp(join(root, file), join(folder, file))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
}

interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly message: string
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[]
  }[]
}

/** Runs the tests that are related to some files. Returns the first that fails; undefined if all pass. */
async function firstFailure(
  folder: string,
  files: readonly string[],
  signal: AbortSignal,
): Promise<string | undefined> {
  const outputFile = join(folder, '.mutant-report.json')
  const paths = [...new Set(files.flatMap((file) => (file.endsWith('.json') ? TESTS_OF_DEFINITIONS : file)))]
  const isCode = paths.every((path) => path.endsWith('.ts') && !path.startsWith('test/'))
  // `related` takes test files too: each is related to itself. A folder is a filter of `run`.
  const command = isCode ? ['related', '--run', ...paths] : ['run', ...paths]
  const options = ['--bail', '1', '--passWithNoTests', '--reporter', 'json', '--outputFile', outputFile]
  const args = [join(root, 'node_modules/vitest/vitest.mjs'), ...command, ...options]
  const run = promisify(execFile)(process.execPath, args, { cwd: folder, maxBuffer: MAX_OUTPUT, signal })
  const error = await run.then(
    () => undefined,
    (cause: Error) => cause,
  )
  if (!error) return undefined
  if (signal.aborted) return undefined
  const report = await readFile(outputFile, 'utf8').catch(() => undefined)
  await rm(outputFile, { force: true })
  if (report === undefined) throw error
  return failedTest(JSON.parse(report) as Report, folder) ?? 'the run of the tests'
}

function failedTest({ testResults }: Report, folder: string): string | undefined {
  for (const { name, message, assertionResults } of testResults) {
    const file = name.replace(`${folder}/`, '')
    const failed = assertionResults.find(({ status }) => status === 'failed')
    if (failed) return `${file}: ${failed.fullName}`
    if (message) return file
  }
  return undefined
}
