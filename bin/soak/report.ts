import { median } from '../../bench/figures.ts'
import { inMegabytes } from '../shows/progress.ts'
import type { VisibleClock } from './visible-clock.ts'

/** The results of a soak. */
export interface SoakReport {
  readonly seconds: number
  /** Seconds that the platform took to answer the requests to start and stop. It may have recorded in that time. */
  readonly answering: number
  /** Duration of the archive as the platform reports it. */
  readonly recordedSeconds: number
  readonly actions: number
  /** Bytes used by this process and its children, after each action. */
  readonly memory: readonly number[]
  readonly clock: VisibleClock
  /** Number of processes that outlived the sandbox. */
  readonly processesLeft: number
}

/** Share of the actions in which memory may grow. */
const WARM_UP = 0.2
/** Ratio of the last third of the actions after the warm-up to the first. */
const MAX_GROWTH = 1.15
/** Fewer actions give no meaningful figures. */
const MIN_FIGURES = 30
/** Seconds by which the archive may differ from real time, since the platform rounds its duration. */
const ROUNDING = 0.6
/** Share of the samples in which no clock may be readable, such as in the frame of a layout change. */
const MAX_UNREAD = 0.02

/** Returns the median memory of the first and last third after the warm-up, in bytes. Returns undefined for few actions. */
export function memoryGrowth(memory: readonly number[]): { readonly first: number; readonly last: number } | undefined {
  if (memory.length < MIN_FIGURES) return undefined
  const warm = memory.slice(Math.floor(memory.length * WARM_UP))
  const third = Math.floor(warm.length / 3)
  return { first: median(warm.slice(0, third)), last: median(warm.slice(-third)) }
}

/** Returns one sentence for each problem. */
export function soakProblems(report: SoakReport): string[] {
  const { samples, unread, dropped, repeated } = report.clock
  const at = (places: readonly number[]) => places.map((second) => `${second} s`).join(', ')
  return [
    ...(samples === 0 ? ['The archive has no pictures.'] : []),
    ...(dropped.length > 0 ? [`Time is missing in the archive at ${at(dropped)}.`] : []),
    ...(repeated.length > 0 ? [`Time is repeated in the archive at ${at(repeated)}.`] : []),
    ...(unread > samples * MAX_UNREAD ? [`The clock cannot be read in ${unread} of ${samples} samples.`] : []),
    ...problemsOfRun(report),
  ]
}

/** Returns the problems that any soak can have: in the archive's duration, the memory and the processes. */
export function problemsOfRun(report: Omit<SoakReport, 'actions' | 'clock'>): string[] {
  const { seconds, answering, recordedSeconds, memory, processesLeft } = report
  const growth = memoryGrowth(memory)
  return [
    ...(recordedSeconds < seconds - ROUNDING || recordedSeconds > seconds + answering + ROUNDING
      ? [`The archive has ${recordedSeconds} s of ${seconds.toFixed(1)} s.`]
      : []),
    ...(growth && growth.last > growth.first * MAX_GROWTH
      ? [`Memory has grown from ${inMegabytes(growth.first)} to ${inMegabytes(growth.last)}.`]
      : []),
    ...(processesLeft > 0 ? [`${processesLeft} processes are still running.`] : []),
  ]
}

/** Formats the results for the terminal. */
export function describeReport(report: SoakReport): string {
  const { seconds, recordedSeconds, actions, memory, clock, processesLeft } = report
  const growth = memoryGrowth(memory)
  const problems = soakProblems(report)
  return [
    `${(seconds / 60).toFixed(1)} minutes, ${actions} actions, ${recordedSeconds} s recorded`,
    `visible clock   ${clock.samples} samples, ${clock.unread} unread, ${clock.dropped.length} dropped, ${clock.repeated.length} repeated`,
    `memory          ${growth ? `${inMegabytes(growth.first)} at first, ${inMegabytes(growth.last)} at last` : 'too few actions'}`,
    `processes left  ${processesLeft}`,
    ...(problems.length > 0 ? problems : ['No problems.']),
  ]
    .map((line) => `${line}\n`)
    .join('')
}
