import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Assembly, readAssembly } from '../../local/cloud/assembly.ts'
import { root } from './root.ts'

/** What the assembly is made of: as long as none of it changes, it need not be made again. */
const SOURCES = [
  'bin/app.ts',
  'lib/**/*.ts',
  'lambdas/**/*.ts',
  'statemachines/*.json',
  'cdk.json',
  'package-lock.json',
]

/**
 * Synthesizes the CDK app, as `npx cdk synth` does into `cdk.out`, unless it is there already. Each state of the sources has a
 * folder of its own under `.showrunner/assemblies`, so that what runs keeps its bundles while another command synthesizes.
 * @throws Error with the app's own words when it cannot be synthesized
 */
export async function synthesize(signal?: AbortSignal): Promise<Assembly> {
  const assemblies = join(root, '.showrunner/assemblies')
  const directory = join(assemblies, fingerprintOf(SOURCES).slice(0, 16))
  if (!existsSync(directory)) {
    const fresh = `${directory}.${process.pid}`
    try {
      await runApp(fresh, signal)
      renameSync(fresh, directory)
    } catch (error) {
      if (!existsSync(directory)) throw error // else another command has made the same one meanwhile
    } finally {
      rmSync(fresh, { recursive: true, force: true })
    }
    forgetOldest(assemblies)
  }
  return readAssembly(directory)
}

/** How many assemblies are kept: something may still run from those before. */
const KEPT = 5

function forgetOldest(assemblies: string): void {
  const byAge = readdirSync(assemblies)
    .map((name) => join(assemblies, name))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)
  for (const old of byAge.slice(KEPT)) rmSync(old, { recursive: true, force: true })
}

function runApp(outputDirectory: string, signal?: AbortSignal): Promise<void> {
  const { context } = JSON.parse(readFileSync(join(root, 'cdk.json'), 'utf8'))
  const env = { ...process.env, CDK_OUTDIR: outputDirectory, CDK_CONTEXT_JSON: JSON.stringify(context) }
  return new Promise((resolve, reject) => {
    const stdio = ['ignore', 'ignore', 'pipe'] as const
    const app = spawn(process.execPath, ['bin/app.ts'], {
      cwd: root,
      env,
      stdio: [...stdio],
      ...(signal && { signal }),
    })
    let words = ''
    app.stderr?.setEncoding('utf8').on('data', (text: string) => {
      words += text
    })
    app.once('error', reject)
    app.once('close', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`The CDK app cannot be synthesized: ${words.trim() || `it ended with code ${code}`}`))
    })
  })
}

function fingerprintOf(patterns: readonly string[]): string {
  const hash = createHash('sha256').update(process.version)
  for (const file of globSync([...patterns], { cwd: root }).sort())
    hash.update(file).update(readFileSync(join(root, file)))
  return hash.digest('hex')
}
