import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { root } from '../local/root.ts'
import { buildCommandLine } from './command-line.ts'

/** The entry points of the package, with the folder under lib/ of each. */
const entries = {
  showrunner: 'client/exports',
  platform: 'platform/client/exports',
  callbacks: 'platform/client/exports',
  events: 'operations/notifications/exports',
} as const

/** The entry point of each subpath. `./client` is the former name of `./platform`. */
const subpaths: Readonly<Record<string, keyof typeof entries>> = {
  '.': 'showrunner',
  './platform': 'platform',
  './client': 'platform',
  './callbacks': 'callbacks',
  './events': 'events',
}

/** The imports of the built code. The package bundles them, so that its installation needs no registry. */
const dependencies = ['jose', 'zod'] as const

const composerLibrary = 'playwright-core'

/**
 * Builds the package `showrunner` in a directory, which it empties first. The package has the command line, the clients of
 * Showrunner and of the platform, and the verifiers of callbacks as JavaScript with types, ready for `npm pack`.
 * @throws Error if the sources do not compile
 */
export async function buildPackage(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true })
  await mkdir(directory, { recursive: true })
  await build({
    entryPoints: Object.fromEntries(
      Object.entries(entries).map(([entry, folder]) => [entry, join(root, 'lib', folder, `${entry}.ts`)]),
    ),
    outdir: directory,
    bundle: true,
    splitting: true,
    chunkNames: 'parts/[name]-[hash]',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: [...dependencies],
    logLevel: 'silent',
  })
  for (const folder of new Set(Object.values(entries))) await writeTypes(folder, join(directory, 'types'))
  for (const folder of ['client/methods', 'platform/client/methods'])
    await copyMethods(folder, join(directory, 'types'))
  await Promise.all(dependencies.map((name) => copyDependency(name, directory)))
  await Promise.all(['LICENSE', 'NOTICE'].map((file) => cp(join(root, file), join(directory, file))))
  await cp(new URL('README.md', import.meta.url), join(directory, 'README.md'))
  await cp(join(root, 'docs/show.schema.json'), join(directory, 'show.schema.json'))
  const manifest = await createManifest()
  await buildCommandLine(join(directory, 'cli'), manifest)
  await writeFile(join(directory, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

/** Writes declarations. Their imports end in `.ts`, which TypeScript resolves to the `.d.ts`. */
async function writeTypes(folder: string, directory: string): Promise<void> {
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  await promisify(execFile)(process.execPath, [compiler, '-p', join(root, 'lib', folder), '--outDir', directory]).catch(
    ({ stdout }: { stdout: string }) => {
      throw new Error(`The types of the package do not compile: ${stdout.trim()}`)
    },
  )
}

/** Replaces the declarations of a client's methods by their sources. tsc drops imports that only `@link` uses. */
async function copyMethods(folder: string, directory: string): Promise<void> {
  const files = await readdir(join(root, 'lib', folder))
  for (const file of files.filter((file) => file !== 'routes.ts'))
    await cp(join(root, 'lib', folder, file), join(directory, folder, file.replace(/\.ts$/, '.d.ts')))
}

/** Copies an installed package without its TypeScript sources. */
async function copyDependency(name: string, directory: string): Promise<void> {
  const from = join(root, 'node_modules', name)
  const sources = join(from, 'src')
  const filter = (path: string) => path !== sources
  await cp(from, join(directory, 'node_modules', name), { recursive: true, dereference: true, filter })
}

interface Manifest {
  readonly version: string
  readonly license: string
  readonly homepage: string
  readonly repository: object
  readonly bugs: string
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}

async function createManifest() {
  const { version, license, homepage, repository, bugs, ...project }: Manifest = JSON.parse(
    await readFile(join(root, 'package.json'), 'utf8'),
  )
  return {
    name: 'showrunner',
    version,
    description:
      'Runs live video events unattended: command line, clients of Showrunner and of the video platform, verifiers of callbacks.',
    license,
    homepage,
    repository,
    bugs,
    type: 'module',
    engines: { node: '>=20' },
    sideEffects: false,
    bin: { showrunner: 'cli/bin/launch.js' },
    exports: {
      ...Object.fromEntries(
        Object.entries(subpaths).map(([subpath, entry]) => [
          subpath,
          { types: `./types/${entries[entry]}/${entry}.d.ts`, default: `./${entry}.js` },
        ]),
      ),
      './show.schema.json': './show.schema.json',
    },
    files: ['*.js', 'cli', 'parts', 'show.schema.json', 'types', 'NOTICE'],
    dependencies: Object.fromEntries(dependencies.map((name) => [name, project.dependencies[name]])),
    bundleDependencies: dependencies,
    // Only composers need it. An app that wants them installs it.
    peerDependencies: { [composerLibrary]: project.devDependencies[composerLibrary] },
    peerDependenciesMeta: { [composerLibrary]: { optional: true } },
  }
}
