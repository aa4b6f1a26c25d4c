import { keys } from '../../../../lib/show/state/keys.ts'
import type { Evidence } from '../evidence.ts'

/** Writes in a minute: two in three seconds (docs/scale.md), and one by each show that announces itself. */
const WRITES = 40
const MINUTE = 60_000

/** Checks that shows share observations instead of writing one each: few are written in any minute. */
export function rareObservations({ trace, shows }: Pick<Evidence, 'trace' | 'shows'>): string[] {
  const writes = trace
    .filter(({ call }) => call?.name === `s3 PutObject ${keys.observation}` && (call.status ?? 0) < 300)
    .map(({ at }) => at)
  let first = 0
  const minutes = writes.map((at, index) => {
    while ((writes[first] ?? at) <= at - MINUTE) first++
    return { from: writes[first] ?? at, count: index + 1 - first }
  })
  const busiest = minutes.find(({ count }) => count > WRITES + shows.length)
  if (!busiest) return []
  return [`${busiest.count} observations were written in the minute after ${new Date(busiest.from).toISOString()}`]
}
