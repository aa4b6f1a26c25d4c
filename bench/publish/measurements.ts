import type { Goal, Measurement } from '../bench.ts'
import type { Figures } from './harness.ts'

/** Goals of a work, by measurement. */
export type Goals = { readonly [Kind in 'seconds' | 'moved' | 'read' | 'memory']?: Goal }

const MB = 1e6

/** Returns the measurements of a work and its baseline: wall time, bytes read and written, peak memory, requests. */
export function toMeasurements(work: string, ours: Figures, theirs: Figures, goals: Goals = {}): Measurement[] {
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

/** Compares a work on a long recording with the same work on a short one. */
export const growthOf = (work: string, long: Figures, short: Figures, goals: Goals = {}): Measurement[] =>
  toMeasurements(work, long, short, goals).filter(({ work: name }) =>
    /(wall time|read|peak memory|requests)$/.test(name),
  )
