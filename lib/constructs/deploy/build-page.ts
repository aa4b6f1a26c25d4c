import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync, stop } from 'esbuild'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/**
 * Builds a page of `web/`. @returns the content of each file by its name, such as `watch.html`, `watch.css` and `watch.js`
 * @param name the folder below `web`, and the name of its HTML and CSS; the script is its `main.ts`
 */
export function buildPage(name: string): ReadonlyMap<string, Uint8Array> {
  const folder = `web/${name}`
  const { outputFiles } = buildSync({
    write: false,
    absWorkingDir: root,
    entryPoints: [
      { in: `${folder}/main.ts`, out: name },
      { in: `${folder}/${name}.css`, out: name },
    ],
    outdir: root,
    bundle: true,
    platform: 'browser',
    target: 'es2022',
    format: 'esm',
    external: ['/hls.js'], // the console loads it with its first broadcast
    minify: true,
    logLevel: 'error',
  })
  void stop() // esbuild would keep a process and a thread for the next build
  const html = `${name}.html`
  return new Map([
    [html, readFileSync(`${root}${folder}/${html}`)],
    ...outputFiles.map(({ path, contents }) => [basename(path), contents] as const),
  ])
}
