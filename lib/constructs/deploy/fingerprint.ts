import { createHash } from 'node:crypto'
import { globSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'

/** Returns a name for the present contents of files below a folder, and for Node's version. */
export function fingerprintOf(folder: string, patterns: readonly string[], more = ''): string {
  const hash = createHash('sha256').update(process.version).update(more)
  for (const file of globSync([...patterns], { cwd: folder }).sort())
    hash.update(file).update(readFileSync(join(folder, file)))
  return hash.digest('hex').slice(0, 16)
}

/** Marks an entry as used now, so that {@link removeOldest} keeps it. */
export function markUsed(entry: string): void {
  try {
    utimesSync(entry, new Date(), new Date())
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error // another has just removed it
  }
}

/** Entries that are kept, since a running system may use an earlier one. */
const MAX_KEPT = 5

/** Removes all but the entries of a folder that were used last, each of which is named by a fingerprint. @param kept @default 5 */
export function removeOldest(folder: string, kept = MAX_KEPT): void {
  const timeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 // another may remove it meanwhile
  const byAge = readdirSync(folder)
    .filter((name) => !name.endsWith('.lock'))
    .map((name) => join(folder, name))
    .sort((one, other) => timeOf(other) - timeOf(one))
  for (const old of byAge.slice(kept)) rmSync(old, { recursive: true, force: true })
}
