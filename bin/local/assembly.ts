import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readSettings } from '../../lib/constructs/deploy/settings.ts'
import { type Assembly, readAssembly } from '../../local/cloud/assembly.ts'
import { root } from './root.ts'

/** The sources of the assembly. It is synthesized again only when one of them changes. */
const SOURCES = [
  'bin/app.ts',
  'lib/**/*.ts',
  'lambdas/**/*.ts',
  'web/*.*',
  'web/watch/*',
  'statemachines/*.json',
  'package-lock.json',
]

/** Settings of the local stack. Those in cdk.json are of a deployment. Addresses are parameters of the stack. */
export const localSettings = readSettings({
  stage: 'laptop',
  platform: { url: 'https://platform.invalid', accountSecret: 'showrunner/laptop/account' },
  rotation: { projectSecretDays: 90 },
  identity: { issuer: 'http://issuer.invalid' },
})

/**
 * Synthesizes the CDK app, unless the assembly of the present sources exists. Each state of the sources has a separate folder
 * under `.showrunner/assemblies`, so that a running system keeps its bundles while another command synthesizes.
 * @throws Error with the output of the app when it fails
 */
export async function synthesize(signal?: AbortSignal): Promise<Assembly> {
  const assemblies = join(root, '.showrunner/assemblies')
  const context = { ...readContext(), showrunner: localSettings }
  const directory = join(assemblies, fingerprintOf(SOURCES, context).slice(0, 16))
  if (!existsSync(directory)) {
    const fresh = `${directory}.${process.pid}`
    try {
      await runApp(fresh, context, signal)
      renameSync(fresh, directory)
    } catch (error) {
      if (!existsSync(directory)) throw error // else another command created the same one meanwhile
    } finally {
      rmSync(fresh, { recursive: true, force: true })
    }
    removeOldest(assemblies)
  }
  return readAssembly(directory)
}

/** Assemblies that are kept, since a running system may use an earlier one. */
const MAX_ASSEMBLIES = 5

function removeOldest(assemblies: string): void {
  const timeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 // another may remove it meanwhile
  const byAge = readdirSync(assemblies)
    .map((name) => join(assemblies, name))
    .sort((a, b) => timeOf(b) - timeOf(a))
  for (const old of byAge.slice(MAX_ASSEMBLIES)) rmSync(old, { recursive: true, force: true })
}

const readContext = (): object => JSON.parse(readFileSync(join(root, 'cdk.json'), 'utf8')).context

async function runApp(outputDirectory: string, context: object, signal?: AbortSignal): Promise<void> {
  const env = { ...process.env, CDK_OUTDIR: outputDirectory, CDK_CONTEXT_JSON: JSON.stringify(context) }
  const options = { cwd: root, env, ...(signal && { signal }) }
  await promisify(execFile)(process.execPath, ['bin/app.ts'], options).catch((cause) => {
    if (cause.name === 'AbortError') throw cause
    const output = cause.stderr.trim() || `it ended with code ${cause.code}`
    throw new Error(`The CDK app cannot be synthesized: ${output}`, { cause })
  })
}

function fingerprintOf(patterns: readonly string[], context: object): string {
  const hash = createHash('sha256').update(process.version).update(JSON.stringify(context))
  for (const file of globSync([...patterns], { cwd: root }).sort())
    hash.update(file).update(readFileSync(join(root, file)))
  return hash.digest('hex')
}
