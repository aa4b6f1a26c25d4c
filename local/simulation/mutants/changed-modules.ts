import { globSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join, normalize } from 'node:path/posix'
import type { ReadSource } from './mutant.ts'

const IMPORT = /(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+\.ts)'/g
/** Loads functions by names that it calculates. */
const LOADER = 'local/simulation/environment/handlers.ts'

/**
 * Returns a function that finds the modules which see a change of some sources, as JavaScript by path: these, and everything
 * that imports them. Types are stripped here, since threads that do it at the same time can end the process (V8).
 */
export function createModules(root: string, read: ReadSource) {
  const importers = readImporters(root, read)
  const stripped = new Map<string, string>()
  const unchanged = (file: string) => {
    const source = stripped.get(file) ?? stripTypeScriptTypes(read(file))
    stripped.set(file, source)
    return source
  }
  return (sources: Readonly<Record<string, string>>): Record<string, string> => {
    const changed = Object.keys(sources).filter((file) => file.endsWith('.ts'))
    const found = new Set(changed)
    for (const file of found) for (const by of importers.get(file) ?? []) found.add(by)
    const textOf = (file: string) => (file in sources ? stripTypeScriptTypes(sources[file] ?? '') : unchanged(file))
    return Object.fromEntries([...found].map((file) => [file, textOf(file)]))
  }
}

/** Reads which files import a file. */
function readImporters(root: string, read: ReadSource): ReadonlyMap<string, readonly string[]> {
  const importers = new Map<string, string[]>()
  const note = (file: string, by: string) => importers.set(file, [...(importers.get(file) ?? []), by])
  for (const file of globSync('{lib,lambdas,local}/**/*.ts', { cwd: root })) {
    for (const [, path = ''] of read(file).matchAll(IMPORT)) note(normalize(join(dirname(file), path)), file)
    if (file.startsWith('lambdas/')) note(file, LOADER)
  }
  return importers
}
