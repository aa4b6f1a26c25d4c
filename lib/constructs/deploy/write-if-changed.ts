import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Outside of the folders of functions, each of which is copied as a whole. */
const aside = fileURLToPath(new URL(`../../../.showrunner/bundles/${process.pid}.part`, import.meta.url))

/** Writes a file so that whoever synthesizes at the same time reads the old one or the new one, and never half of one. */
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
