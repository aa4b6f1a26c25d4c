import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import { buildPage } from './build-page.ts'
import { writeIfChanged } from './write-if-changed.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

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
  for (const { path, contents } of outputFiles) writeIfChanged(path, contents)
  if (files.includes('watch/watch'))
    for (const [name, content] of buildPage('watch')) writeIfChanged(`${directory}/watch/watch/${name}`, content)
  return (file) => `${directory}/${file}`
}
