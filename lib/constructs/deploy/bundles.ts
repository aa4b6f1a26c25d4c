import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import { buildPage } from './build-page.ts'
import { writeIfChanged } from './write-if-changed.ts'

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
