import type { Goal, Measurement } from '../bench.ts'
import type { Figures } from './stage.ts'

/** Goals of a work, by what is measured of it. */
export type Goals = { readonly [Kind in 'seconds' | 'moved' | 'read' | 'memory']?: Goal }

const MB = 1e6

/** The rows of a work beside its baseline: wall time, bytes read and written, memory at its peak, requests. */
export function rowsOf(work: string, ours: Figures, theirs: Figures, goals: Goals = {}): Measurement[] {
  const row = (what: string, unit: string, value: number, baseline: number, goal?: Goal): Measurement => ({
    work: `${work}: ${what}`,
    unit,
    value,
    baseline,
    ...(goal && { goal }),
  })
  return [
    row('wall time', 's', ours.seconds, theirs.seconds, goals.seconds),
    row('read', 'MB', ours.read / MB, theirs.read / MB, goals.read),
    row('written', 'MB', ours.written / MB, theirs.written / MB),
    ...(goals.moved ? [row('through the process', 'MB', moved(ours), moved(theirs), goals.moved)] : []),
    row('peak memory', 'MB', ours.memory / MB, theirs.memory / MB, goals.memory),
    row('requests', 'requests', ours.reads + ours.writes, theirs.reads + theirs.writes),
  ]
}

const moved = ({ read, written }: Figures) => (read + written) / MB

/** What a work takes of a long recording, beside what it takes of a short one. */
export const growthOf = (work: string, long: Figures, short: Figures, goals: Goals = {}): Measurement[] =>
  rowsOf(work, long, short, goals).filter(({ work: name }) => /(wall time|read|peak memory|requests)$/.test(name))
