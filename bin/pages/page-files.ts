import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { buildPage } from '../../lib/constructs/deploy/build-page.ts'

/** A file that a page consists of. */
export interface PageFile {
  readonly content: Uint8Array<ArrayBuffer>
  readonly type: string
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
}

/**
 * Builds a page of `web/`, and returns every file that is served, by its path. The HTML has the path `/`.
 * @param others further files that the page requests, by their path
 */
export function readPageFiles(name: string, others: Readonly<Record<string, string>>): ReadonlyMap<string, PageFile> {
  const built = [...buildPage(name)].map(([file, content]) => [`/${file}`, content] as const)
  const read = Object.entries(others).map(([path, file]) => [path, readFileSync(file)] as const)
  return new Map(
    [...built, ...read].map(([path, content]) => [
      path === `/${name}.html` ? '/' : path,
      { content: new Uint8Array(content), type: TYPES[extname(path)] as string },
    ]),
  )
}
