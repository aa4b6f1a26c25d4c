import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { type BuildOptions, build, type Plugin } from 'esbuild'
import { buildPage } from '../../lib/constructs/deploy/build-page.ts'
import { bundlesFolder } from '../../lib/constructs/deploy/bundles-folder.ts'
import { localSettings, synthesize } from '../local/assembly.ts'
import * as checkoutCalls from '../local/root.ts'
import * as installedCalls from './installed/root.ts'

const { hlsScript, root } = checkoutCalls

/** The program, and the modules that it starts as processes and threads. */
const programs = [
  'bin/showrunner.ts',
  'local/cloud/functions/host-process.ts',
  'local/cloud/functions/worker.ts',
  'local/sandbox/media/engine/worker.ts',
]

/** Commands that need the sources, so the package does not have them. `bin/showrunner.ts` names them as well. */
const ofCheckout = ['./commands/development/*', './commands/deployment/deploy.ts']

/** Modules that read in an installed package what they make in a checkout. */
const replaced = new Map(
  Object.entries({
    'bin/local/root.ts': 'bin/package/installed/root.ts',
    'bin/local/assembly.ts': 'bin/package/installed/assembly.ts',
    'lib/constructs/deploy/build-page.ts': 'bin/package/installed/build-page.ts',
  }).map((pair) => pair.map((file) => join(root, file)) as [string, string]),
)

/** Pages that the command line serves. */
const pages = ['console', 'join']

/** Files that it reads, at the same place as in the checkout. */
const files = [
  'bin/init/receiver.mjs',
  'bin/launch.js',
  'bin/older-node.js',
  'examples/webinar.json',
  'web/console/icon.svg',
  'docs/show.schema.json',
]

/** Found by npm in the app, if at all: it is large, and only composers need it. */
const external = ['playwright-core', 'esbuild']

interface Identity {
  readonly version: string
  readonly repository: object
}

/**
 * Compiles the command line to JavaScript in a folder, with everything it needs: its dependencies, the synthesized stack and
 * the pages. Each module keeps its place in the tree, since some find files relative to their own.
 * @throws Error if the stack cannot be synthesized
 */
export async function buildCommandLine(directory: string, { version, repository }: Identity): Promise<void> {
  const modules = await findModules()
  await build({
    ...options,
    entryPoints: modules,
    outdir: directory,
    splitting: true,
    chunkNames: 'parts/[name]-[hash]',
    plugins: [keepModules],
    minifyWhitespace: true,
    minifySyntax: true,
  })
  await Promise.all([
    writeAssembly(join(directory, 'assembly')),
    ...pages.map((name) => writePage(name, join(directory, 'web', name))),
    ...files.map((file) => cp(join(root, file), join(directory, file))),
    cp(hlsScript, join(directory, 'web/hls.js')),
    writeFile(join(directory, 'package.json'), JSON.stringify({ version, repository, type: 'module' })),
  ])
}

const options: BuildOptions = {
  absWorkingDir: root,
  outbase: root,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node22',
  mainFields: ['module', 'main'],
  external: [...external, ...ofCheckout],
  logLevel: 'error',
  // CommonJS dependencies load Node's modules with require, which ES modules do not have.
  banner: {
    js: "import{createRequire as requireOf}from'node:module';const require=requireOf(import.meta.url);",
  },
}

/** Returns all modules that the programs consist of. */
async function findModules(): Promise<string[]> {
  const { metafile } = await build({
    ...options,
    entryPoints: programs,
    packages: 'external',
    metafile: true,
    write: false,
    outdir: root,
    plugins: [replaceModules],
  })
  return Object.keys(metafile?.inputs ?? {})
}

const isOwn = (importer: string) => importer.endsWith('.ts') && !importer.includes('/node_modules/')
const sourceOf = (path: string, folder: string) => {
  const source = resolve(folder, path)
  return replaced.get(source) ?? source
}

const replaceModules: Plugin = {
  name: 'replace-modules',
  setup({ onResolve }) {
    onResolve({ filter: /^\..*\.ts$/ }, ({ path, resolveDir, importer }) =>
      isOwn(importer) && !ofCheckout.some((one) => path.startsWith(one.replace('*', '')))
        ? { path: sourceOf(path, resolveDir) }
        : undefined,
    )
  },
}

/** Leaves imports of own modules as imports of files, and bundles all others. */
const keepModules: Plugin = {
  name: 'keep-modules',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\..*\.ts$/ }, ({ path, resolveDir, importer, kind }) => {
      if (kind === 'entry-point' || !isOwn(importer)) return undefined
      const place = relative(resolveDir, sourceOf(path, resolveDir)).replace(/\.ts$/, '.js')
      return { path: place.startsWith('.') ? place : `./${place}`, external: true }
    })
    onLoad({ filter: /\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replace(/(new URL\('\.[^']*)\.ts'/g, "$1.js'"),
      loader: 'ts',
    }))
  },
}

async function writePage(name: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const [file, content] of buildPage(name)) await writeFile(join(folder, file), nameInstalledCalls(content))
}

/** Calls of a checkout that the pages name, with those of an installed package. */
const calls = new Map([
  [checkoutCalls.commandCall, installedCalls.commandCall],
  [checkoutCalls.startCall, installedCalls.startCall],
  [checkoutCalls.exampleShow, installedCalls.exampleShow],
])

/** Returns the text of a page with the calls of an installed package. */
function nameInstalledCalls(content: Uint8Array): string {
  let text = Buffer.from(content).toString()
  for (const [call, installed] of calls) text = text.replaceAll(call, installed)
  return text.replaceAll(`${installedCalls.startCall} -- `, `${installedCalls.startCall} `)
}

/** Names of code in the template. */
const CODE = /\b[0-9a-f]{64}\.zip\b/g

/** Writes the assembly of the local stack. Its functions are named relative to it, since a package is installed anywhere. */
async function writeAssembly(directory: string): Promise<void> {
  const { stackName, template, assetFolder } = await synthesize()
  const bundles = bundlesFolder('shared-bundles')
  const withoutMaps = (path: string) => !path.endsWith('.map')
  await cp(bundles, join(directory, 'functions'), { recursive: true, filter: withoutMaps })
  const codes = new Set(JSON.stringify(template).match(CODE))
  const pathOf = (code: string) => join('functions', relative(bundles, assetFolder(code)))
  const assets = Object.fromEntries(
    [...codes].map((code) => [code.replace('.zip', ''), { source: { path: pathOf(code) } }]),
  )
  const artifacts = {
    [stackName]: { type: 'aws:cloudformation:stack', properties: { templateFile: 'template.json' } },
    assets: { type: 'cdk:asset-manifest', properties: { file: 'assets.json' } },
  }
  const documents = { template, assets: { files: assets }, manifest: { artifacts }, settings: localSettings }
  for (const [name, content] of Object.entries(documents))
    await writeFile(join(directory, `${name}.json`), JSON.stringify(content))
}
