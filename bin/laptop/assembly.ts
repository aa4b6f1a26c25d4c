import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
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
 * Synthesizes the CDK app into `.showrunner/assembly`, as `npx cdk synth` does into `cdk.out`, unless it is there already.
 * @throws Error with the app's own words when it cannot be synthesized
 */
export async function synthesize(signal?: AbortSignal): Promise<Assembly> {
  const directory = join(root, '.showrunner/assembly')
  const mark = join(directory, 'fingerprint')
  const fingerprint = fingerprintOf(SOURCES)
  if (existsSync(mark) && readFileSync(mark, 'utf8') === fingerprint) return readAssembly(directory)

  const fresh = `${directory}.${process.pid}`
  try {
    await runApp(fresh, signal)
    writeFileSync(join(fresh, 'fingerprint'), fingerprint)
    replace(directory, fresh)
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
  return readAssembly(directory)
}

/** Two processes may synthesize at once; what they made is the same, so whichever comes last may leave the other's. */
function replace(directory: string, fresh: string): void {
  try {
    rmSync(directory, { recursive: true, force: true })
    renameSync(fresh, directory)
  } catch (error) {
    if (!existsSync(join(directory, 'manifest.json'))) throw error
  }
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
