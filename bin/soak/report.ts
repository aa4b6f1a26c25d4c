import { median } from '../../bench/figures.ts'
import { inMegabytes } from '../shows/progress.ts'
import type { VisibleClock } from './visible-clock.ts'

/** What a soak has found. */
export interface SoakReport {
  readonly seconds: number
  /** That the platform took to answer the requests to start and to stop, in which it may or may not have recorded. */
  readonly answering: number
  /** As the platform reports. */
  readonly recordedSeconds: number
  readonly actions: number
  /** Bytes, of this process and all that it has started, after each action. */
  readonly memory: readonly number[]
  readonly clock: VisibleClock
  /** How many have outlived the sandbox. */
  readonly processesLeft: number
}

/** Until so many people have come and gone, memory grows as it should. */
const WARM_UP = 0.2
/** Between the first and the last third of what comes after. */
const MAX_GROWTH = 1.15
/** Figures of fewer actions say nothing. */
const MIN_FIGURES = 30
/** Seconds that archive and real time may differ: the platform rounds its figure. */
const ROUNDING = 0.6
/** The share of looks at which no clock may be seen, such as in the frame in which a layout changes. */
const MAX_UNREAD = 0.02

/** The memory of the first and of the last third after the warm-up, in bytes; undefined where that would say nothing. */
export function growthOf(memory: readonly number[]): { readonly first: number; readonly last: number } | undefined {
  if (memory.length < MIN_FIGURES) return undefined
  const warm = memory.slice(Math.floor(memory.length * WARM_UP))
  const third = Math.floor(warm.length / 3)
  return { first: median(warm.slice(0, third)), last: median(warm.slice(-third)) }
}

/** What is wrong, one sentence each. */
export function problemsOf({
  seconds,
  answering,
  recordedSeconds,
  memory,
  clock,
  processesLeft,
}: SoakReport): string[] {
  const { looks, unread, dropped, repeated } = clock
  const growth = growthOf(memory)
  const at = (places: readonly number[]) => places.map((second) => `${second} s`).join(', ')
  return [
    ...(looks === 0 ? ['The archive has no pictures.'] : []),
    ...(dropped.length > 0 ? [`Time is missing in the archive at ${at(dropped)}.`] : []),
    ...(repeated.length > 0 ? [`Time is repeated in the archive at ${at(repeated)}.`] : []),
    ...(unread > looks * MAX_UNREAD ? [`The clock cannot be read at ${unread} of ${looks} looks.`] : []),
    ...(recordedSeconds < seconds - ROUNDING || recordedSeconds > seconds + answering + ROUNDING
      ? [`The archive has ${recordedSeconds} s of ${seconds.toFixed(1)} s.`]
      : []),
    ...(growth && growth.last > growth.first * MAX_GROWTH
      ? [`Memory has grown from ${inMegabytes(growth.first)} to ${inMegabytes(growth.last)}.`]
      : []),
    ...(processesLeft > 0 ? [`${processesLeft} processes are left.`] : []),
  ]
}

/** The findings as a person reads them. */
export function describeReport(report: SoakReport): string {
  const { seconds, recordedSeconds, actions, memory, clock, processesLeft } = report
  const growth = growthOf(memory)
  const problems = problemsOf(report)
  return [
    `${(seconds / 60).toFixed(1)} minutes, ${actions} actions, ${recordedSeconds} s recorded`,
    `visible clock   ${clock.looks} looks, ${clock.unread} unread, ${clock.dropped.length} dropped, ${clock.repeated.length} repeated`,
    `memory          ${growth ? `${inMegabytes(growth.first)} at first, ${inMegabytes(growth.last)} at last` : 'too short to tell'}`,
    `processes left  ${processesLeft}`,
    ...(problems.length > 0 ? problems : ['Nothing is wrong.']),
  ]
    .map((line) => `${line}\n`)
    .join('')
}
