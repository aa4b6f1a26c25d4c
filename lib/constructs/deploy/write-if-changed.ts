import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Outside the folders of functions, because these are copied whole. */
const aside = fileURLToPath(new URL(`../../../.showrunner/bundles/${process.pid}.part`, import.meta.url))

/** Writes a file atomically, so that concurrent syntheses never read half of it. */
export function writeIfChanged(path: string, contents: Uint8Array): void {
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
