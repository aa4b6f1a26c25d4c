import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { buildSync } from 'esbuild'
import { buildPage } from './build-page.ts'
import { type BundleKind, bundlesFolder, root } from './bundles-folder.ts'
import { cacheFolder } from './cache-folder.ts'
import { markUsed, removeOldest } from './fingerprint.ts'

/** The page of this function is stored beside its code. */
const WATCH = 'watch/watch'

/** Bundles functions: takes their files, and returns the folder of each one’s code. */
export type Bundle = (files: readonly string[]) => (file: string) => string

/** Bundles of earlier sources that are kept, by kind. A running system uses shared ones, which are small. */
const KEPT: Readonly<Record<BundleKind, number>> = { bundles: 2, 'shared-bundles': 5 }

/**
 * Bundles functions with everything they import, including the AWS SDK, so that the tested versions run. Each state of the
 * sources has a separate folder, so a synthesis with other settings uses the bundles of the one before, and a running system
 * keeps its own. One process bundles all missing ones, since each process would parse the SDK.
 * @param files names under `lambdas/`, without their extension
 * @returns the folder of a function's code, by its file; its handler is `index.handler`
 */
export const bundle: Bundle = (files) => bundleAs('bundles', files)

/**
 * Replaces {@link bundle} on this machine: functions import the code that several need from one place beside their folders. It
 * takes a thirtieth of the space, and a fraction of the time. It is not minified and has no source maps. An assembly must not copy
 * the folders.
 */
export const bundleShared: Bundle = (files) => bundleAs('shared-bundles', files)

function bundleAs(kind: BundleKind, files: readonly string[]): (file: string) => string {
  const directory = bundlesFolder(kind)
  const missing = files.filter((file) => !existsSync(`${directory}/${file}/index.mjs`))
  if (missing.length > 0) build(missing, directory, kind === 'shared-bundles')
  else markUsed(directory)
  for (const [one, kept] of Object.entries(KEPT)) removeOldest(cacheFolder(root, one), kept)
  return (file) => `${directory}/${file}`
}

/** Replaces {@link bundle} where only the template matters: every function gets the same empty module. */
export const bundleNothing: Bundle = () => {
  const folder = cacheFolder(root, 'no-code')
  const module = `${folder}/index.mjs`
  if (!existsSync(module)) writeWhole(module, '')
  return () => folder
}

function build(files: readonly string[], directory: string, splitting: boolean): void {
  const { outputFiles } = buildSync({
    write: false,
    absWorkingDir: root,
    entryPoints: Object.fromEntries(files.map((file) => [`${file}/index`, `lambdas/${file}.ts`])),
    outdir: directory,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting,
    chunkNames: 'shared/[hash]',
    platform: 'node',
    target: 'node24',
    format: 'esm',
    mainFields: ['module', 'main'],
    // Functions on this machine load their code again and again, and Node would parse the maps each time. Plain names replace them.
    minify: !splitting,
    sourcemap: splitting ? false : 'linked',
    sourcesContent: false,
    logLevel: 'error',
    // CommonJS dependencies load Node's modules with require, which ES modules do not have.
    banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
  })
  if (files.includes(WATCH))
    for (const [name, content] of buildPage('watch')) writeWhole(`${directory}/${WATCH}/${name}`, content)
  // Functions last: where there is one, everything that it imports is complete.
  const [functions, others] = [outputFiles.filter(isFunction), outputFiles.filter((file) => !isFunction(file))]
  for (const { path, contents } of [...others, ...functions]) writeWhole(path, contents)
}

const isFunction = ({ path }: { readonly path: string }) => path.endsWith('/index.mjs')

/** Writes a file atomically, so that concurrent syntheses never read half of it. */
function writeWhole(path: string, contents: Uint8Array | string): void {
  const folder = dirname(path)
  const aside = `${folder}.${process.pid}.part` // outside of the folder, which is copied whole
  mkdirSync(folder, { recursive: true })
  writeFileSync(aside, contents)
  renameSync(aside, path)
}
