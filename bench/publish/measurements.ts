import { type Goal, type Measurement, measurement } from '../bench.ts'
import type { WorkFigures } from './harness.ts'

/** Goals of a work, by measurement. */
export type Goals = { readonly [Kind in 'seconds' | 'moved' | 'read' | 'memory']?: Goal }

const MB = 1e6

/** Returns the measurements of a work and its baseline: wall time, bytes read and written, peak memory, requests. */
export function toMeasurements(work: string, ours: WorkFigures, theirs: WorkFigures, goals: Goals = {}): Measurement[] {
  const row = (what: string, unit: string, figure: (figures: WorkFigures) => number, goal?: Goal) =>
    measurement(`${work}: ${what}`, unit, figure(ours), figure(theirs), goal)
  return [
    row('wall time', 's', ({ seconds }) => seconds, goals.seconds),
    row('read', 'MB', ({ read }) => read / MB, goals.read),
    row('written', 'MB', ({ written }) => written / MB),
    ...(goals.moved ? [row('through the process', 'MB', moved, goals.moved)] : []),
    row('peak memory', 'MB', ({ memory }) => memory / MB, goals.memory),
    row('requests', 'requests', ({ reads, writes }) => reads + writes),
  ]
}

const moved = ({ read, written }: WorkFigures) => (read + written) / MB

/** Compares a work on a long recording with the same work on a short one. */
export const growthOf = (work: string, long: WorkFigures, short: WorkFigures, goals: Goals = {}): Measurement[] =>
  toMeasurements(work, long, short, goals).filter(({ work: name }) =>
    /(wall time|read|peak memory|requests)$/.test(name),
  )
