import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Bundles functions with everything they import, the AWS SDK included, so that what was tested is what runs. All at once:
 * esbuild then takes a second for the lot, where a process for each would take one each.
 * @param files names under `lambdas/`, without their ending
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
    // CommonJS among the dependencies asks for Node's own modules by require, which an ES module does not have.
    banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
  })
  mkdirSync(directory, { recursive: true })
  const aside = `${directory}/${process.pid}.part` // outside of the folders, each of which is copied as a whole
  for (const { path, contents } of outputFiles) writeIfChanged(path, contents, aside)
  return (file) => `${directory}/${file}`
}

/** Whoever synthesizes at the same time reads the old file or the new one, and never half of one. */
function writeIfChanged(path: string, contents: Uint8Array, aside: string): void {
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
