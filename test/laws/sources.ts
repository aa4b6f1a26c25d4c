import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** A file of the repository: its path from the root, with slashes, and what it says. */
export interface Source {
  readonly path: string
  readonly text: string
}

/** Paths of every file under the folders that exist, committed or not, in alphabetical order. */
export function listFiles(...folders: string[]): string[] {
  return folders
    .map((folder) => join(root, folder))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort()
}

/** Every source file under the folders; generated documents, data and pictures are none. */
export function readSources(...folders: string[]): Source[] {
  return listFiles(...folders)
    .filter((path) => /\.(ts|js|mjs|css|html)$/.test(path))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}
