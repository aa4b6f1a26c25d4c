import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { SeedsReport } from '../../../../local/simulation/runner/run-seeds.ts'

/** A line of the source and its replacement. */
export interface Edit {
  readonly file: string
  readonly text: string
  readonly instead: string
}

/** A mistake: what is done in several places has to be undone in all of them. */
export type Mutation = readonly Edit[]

/** A copy of the source in which one thing is wrong. */
export interface Mutant extends AsyncDisposable {
  simulate(first: number, seeds: number): Promise<SeedsReport>
}

/** Folders that a simulation needs. */
const SOURCES = ['bin', 'lib', 'lambdas', 'statemachines', 'local', 'web', 'examples', 'bench']
const FILES = ['package.json', 'package-lock.json', 'cdk.json', 'tsconfig.json']

/** The source with its mistake. @throws Error when the text is not there, or not once: mutations have to follow the source */
export function mutate(source: string, { file, text, instead }: Edit): string {
  if (source.split(text).length !== 2) throw new Error(`${file} does not have this once: ${text}`)
  return source.replace(text, () => instead)
}

/** @throws Error as `mutate` does */
export async function createMutant(mutation: Mutation): Promise<Mutant> {
  const directory = await mkdtemp(join(tmpdir(), 'mutant-'))
  const remove = () => rm(directory, { recursive: true })
  try {
    for (const path of [...SOURCES, ...FILES]) await cp(path, join(directory, path), { recursive: true })
    await symlink(join(process.cwd(), 'node_modules'), join(directory, 'node_modules'))
    for (const edit of mutation) {
      const file = join(directory, edit.file)
      await writeFile(file, mutate(await readFile(file, 'utf8'), edit))
    }
  } catch (error) {
    await remove()
    throw error
  }
  return {
    [Symbol.asyncDispose]: remove,
    async simulate(first, seeds) {
      const options = ['simulate', '--seeds', `${seeds}`, '--first', `${first}`, '--json']
      const ended = promisify(execFile)(process.execPath, ['bin/showrunner.ts', ...options], {
        cwd: directory,
        maxBuffer: 64 * 1_024 * 1_024,
      })
      // It exits with 1 for violations, and still prints the report.
      const { stdout } = await ended.catch((error: { stdout?: string }) => {
        if (!error.stdout) throw error
        return { stdout: error.stdout }
      })
      return JSON.parse(stdout) as SeedsReport
    },
  }
}
