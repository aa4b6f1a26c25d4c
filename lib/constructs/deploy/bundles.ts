import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import { buildPage } from './build-page.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/**
 * Bundles functions with everything they import, including the AWS SDK, so that the tested versions run. One process bundles all
 * of them in a second; one process for each would take a second each.
 * @param files names under `lambdas/`, without their extension
 * @returns the folder of a function's code, by its file; its handler is `index.handler`
 */
export function bundle(files: readonly string[]): (file: string) => string {
  const directory = `${root}.showrunner/bundles`
  const { outputFiles } = buildSync({
    write: false,
    absWorkingDir: root,
    entryPoints: Object.fromEntries(files.map((file) => [`${file}/index`, `lambdas/${file}.ts`])),
    outdir: directory,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    mainFields: ['module', 'main'],
    minify: true,
    sourcemap: 'linked',
    sourcesContent: false,
    logLevel: 'error',
    // CommonJS dependencies load Node's modules with require, which ES modules do not have.
    banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
  })
  mkdirSync(directory, { recursive: true })
  for (const { path, contents } of outputFiles) writeIfChanged(path, contents)
  if (files.includes('watch/watch'))
    for (const [name, content] of buildPage('watch')) writeIfChanged(`${directory}/watch/watch/${name}`, content)
  return (file) => `${directory}/${file}`
}

/** Outside the folders of functions, because these are copied whole. */
const aside = fileURLToPath(new URL(`../../../.showrunner/bundles/${process.pid}.part`, import.meta.url))

/** Writes a file atomically, so that concurrent syntheses never read half of it. */
function writeIfChanged(path: string, contents: Uint8Array): void {
  if (hasContents(path, contents)) return
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(aside, contents)
  renameSync(aside, path)
}

function hasContents(path: string, contents: Uint8Array): boolean {
  try {
    return readFileSync(path).equals(contents)
  } catch {
    return false
  }
}
