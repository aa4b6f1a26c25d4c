import { execFile } from 'node:child_process'
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { bundlesFolder, sourcesOfBundles } from '../../lib/constructs/deploy/bundles-folder.ts'
import { cacheFolder } from '../../lib/constructs/deploy/cache-folder.ts'
import { fingerprintOf, markUsed, removeOldest } from '../../lib/constructs/deploy/fingerprint.ts'
import { readSettings, type Settings } from '../../lib/constructs/deploy/settings.ts'
import { type Assembly, readAssembly } from '../../local/cloud/assembly.ts'
import { makeOnce } from './make-once.ts'
import { root } from './root.ts'

/** The sources of the template. */
const SOURCES = ['bin/local/local-app.ts', 'lib/**/*.ts', 'statemachines/*.json', 'package.json', 'package-lock.json']

/** Settings of the local stack. Those in cdk.json are of a deployment. Addresses are parameters of the stack. */
const ownSettings = {
  stage: 'laptop',
  platform: { url: 'https://platform.invalid', accountSecret: 'showrunner/laptop/account' },
  rotation: { projectSecretDays: 90 },
  identity: { issuer: 'http://issuer.invalid' },
}
export const localSettings = readSettings(ownSettings)

/**
 * Synthesizes the CDK app of the local stack with the bundled code of its functions, unless the assembly of the present sources
 * exists. Each state of the sources has a separate folder in the cache, so that a running system keeps its
 * bundles while another command synthesizes.
 * @throws Error with the output of the app when it fails
 */
export const synthesize = (signal?: AbortSignal, more: LocalChoices = {}): Promise<Assembly> =>
  assemble('assemblies', { code: true, signal, more })

/** Settings that a user of this machine chooses. */
type LocalChoices = Partial<Pick<Settings, 'allowedOrigins'>>

/** Settings of templates only: simulations run the function that creates a platform project. Locally, none is created. */
const simulatedSettings = { ...ownSettings, platform: { ...ownSettings.platform, project: { name: 'Simulated' } } }

/**
 * Synthesizes the template alone, in a fraction of the time. Its functions have no code, so they can only be run by their
 * handlers, as simulations do.
 * @throws Error as {@link synthesize} does
 */
export const synthesizeTemplate = (signal?: AbortSignal): Promise<Assembly> =>
  assemble('templates', { code: false, signal, more: {} })

interface Parts {
  readonly code: boolean
  readonly signal: AbortSignal | undefined
  readonly more: LocalChoices
}

async function assemble(kind: 'assemblies' | 'templates', { code, signal, more }: Parts): Promise<Assembly> {
  const assemblies = cacheFolder(root, kind)
  const context = {
    ...readContext(),
    showrunner: readSettings({ ...(code ? ownSettings : simulatedSettings), ...more }),
    code,
  }
  const bundles = code ? bundlesFolder('shared-bundles') : ''
  const sources = code ? [...SOURCES, ...sourcesOfBundles] : SOURCES
  if (code) markUsed(bundles)
  const directory = join(assemblies, fingerprintOf(root, sources, JSON.stringify([context, bundles])))
  if (code && !existsSync(bundles)) rmSync(directory, { recursive: true, force: true }) // it refers to them
  const make = async () => {
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
  await makeOnce(directory, make, signal)
  markUsed(directory)
  return readAssembly(directory)
}

const readContext = (): object => JSON.parse(readFileSync(join(root, 'cdk.json'), 'utf8')).context

async function runApp(outputDirectory: string, context: object, signal?: AbortSignal): Promise<void> {
  const env = {
    ...process.env,
    CDK_OUTDIR: outputDirectory,
    CDK_CONTEXT_JSON: JSON.stringify(context),
    NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled'),
    CDK_VALIDATION: 'false', // of the template against CloudFormation's rules, which a deployment has
  }
  const options = { cwd: root, env, ...(signal && { signal }) }
  await promisify(execFile)(process.execPath, ['bin/local/local-app.ts'], options).catch((cause) => {
    if (cause.name === 'AbortError') throw cause
    const output = cause.stderr.trim() || `it ended with code ${cause.code}`
    throw new Error(`The CDK app cannot be synthesized: ${output}`, { cause })
  })
}
