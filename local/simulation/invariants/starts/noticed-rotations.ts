import type { Evidence } from '../evidence.ts'
import { invocationsIn } from '../model/invocations.ts'

const ACCEPTS = /^AcceptShow(\/\d+)?$/
const NOTES_START = /s3 PutObject shows\/\S+\/state\.json/
const READS_LOCK = /s3 GetObject rotation-lock\.json/

/**
 * Checks that a show notes its start before it reads the rotation lock. A rotation writes the lock before it reads the shows, so
 * one of them notices the other.
 */
export function noticedRotations({ trace }: Pick<Evidence, 'trace'>): string[] {
  const noted = new Set<string>()
  return invocationsIn(trace, (caller) => ACCEPTS.test(caller)).flatMap(({ caller, entries, at }) => {
    const show = entries.find((entry) => entry.show !== undefined)?.show
    if (show === undefined) return []
    const read = entries.findIndex(({ line }) => READS_LOCK.test(line))
    const before = read < 0 ? entries : entries.slice(0, read)
    // A write whose answer was lost may have been made.
    if (before.some(({ line }) => NOTES_START.test(line))) noted.add(show)
    return read < 0 || noted.has(show)
      ? []
      : [
          `${caller} read the rotation lock before it noted the start of the show ${show.slice(0, 12)}, at ${new Date(at).toISOString()}`,
        ]
  })
}
