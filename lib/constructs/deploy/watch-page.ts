import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import { writeIfChanged } from './write-if-changed.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Puts the watch page beside the code of the function that serves it: the page, its styles in one, its script with hls.js in it. */
export function addWatchPage(folder: string): void {
  const { outputFiles } = buildSync({
    write: false,
    absWorkingDir: root,
    entryPoints: [
      { in: 'web/watch/main.ts', out: 'watch' },
      { in: 'web/watch/watch.css', out: 'watch' },
    ],
    outdir: folder,
    bundle: true,
    platform: 'browser',
    target: 'es2022',
    format: 'esm',
    minify: true,
    logLevel: 'error',
  })
  for (const { path, contents } of outputFiles) writeIfChanged(path, contents)
  writeIfChanged(`${folder}/watch.html`, readFileSync(`${root}web/watch/watch.html`))
}
