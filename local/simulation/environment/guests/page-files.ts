import { readFileSync } from 'node:fs'
import files from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'

/** The sources of the page’s files. The script of a bundle is built of several. */
const SOURCES: Readonly<Record<string, string>> = {
  'watch.html': 'watch.html',
  'watch.css': 'watch.css',
  'watch.js': 'main.ts',
}
const FOLDER = new URL('../../../../lambdas/watch/', import.meta.url)

let isProvided = false

/**
 * Lets the function of watch pages read its files from `web/watch`: only a bundle has them beside the code. They are read at once,
 * since reading would end at a time that no seed decides.
 */
export function providePageFiles(): void {
  if (isProvided) return
  isProvided = true
  const { readFile } = files
  const provided = new Map(
    Object.entries(SOURCES).map(([name, source]) => [
      new URL(name, FOLDER).href,
      readFileSync(sourceOf(source), 'utf8'),
    ]),
  )
  files.readFile = (async (path: unknown, ...given: never[]) =>
    provided.get(String(path)) ?? readFile(path as URL, ...given)) as typeof readFile
  syncBuiltinESMExports()
}

/** Returns the content of a file of the page, as `/assets/{file}` serves it. */
export const pageFileOf = (name: string): string => readFileSync(sourceOf(SOURCES[name] ?? name), 'utf8')

const sourceOf = (source: string) => new URL(`../../../../web/watch/${source}`, import.meta.url)
