import { countDurations } from '../../frame-rate.ts'
import type { SampleTable } from './open-table.ts'

/** Number of last stored packets among which the last shown one is. */
const LAST = 1000

/** Returns the seconds at which the last packet ends. */
export function endOfShown(table: SampleTable): number {
  const { time, duration } = lastShown(table)
  return (time + duration) / table.timescale
}

/** Counts packets by the seconds for which they are shown: until the next one in display order. */
export function durationsOf(table: SampleTable): ReadonlyMap<number, number> {
  const { count, timescale } = table
  const lasting = new Float64Array(count)
  const times = table.shown(0, count, lasting)
  if (table.mayReorder) {
    times.sort()
    for (let n = 0; n + 1 < count; n++) lasting[n] = (times[n + 1] as number) - (times[n] as number)
    lasting[count - 1] = lastShown(table).duration
  }
  const counted = countDurations()
  for (const ticks of lasting) counted.add(ticks / timescale)
  return counted.durations
}

function lastShown(table: SampleTable): { readonly time: number; readonly duration: number } {
  const durations = new Float64Array(Math.min(table.count, LAST))
  const times = table.shown(table.count - durations.length, table.count, durations)
  let last = 0
  for (let n = 1; n < times.length; n++) if ((times[n] as number) >= (times[last] as number)) last = n
  return { time: times[last] as number, duration: durations[last] as number }
}
