import { inMegabytes } from '../../shows/progress.ts'
import { memoryGrowth, problemsOfRun, type SoakReport } from '../report.ts'
import { type Delays, driftOf, skewOf, spreadOf } from './archive-sync.ts'
import { PERIOD } from './flash-files.ts'

/** The results of a soak with browsers, whose memory does not count. */
export interface LiveSoakReport extends Omit<SoakReport, 'actions' | 'clock'> {
  readonly participants: readonly Delays[]
}

/** Milliseconds between the picture and the audio of a participant, and by which they may drift apart. */
const MAX_SKEW = 40
/** Milliseconds between participants. */
const MAX_SPREAD = 100
/** Share of the flashes and beeps that may be missing, besides those at both ends. */
const MAX_MISSING = 0.02

/** Returns one sentence for each problem. */
export function liveSoakProblems(report: LiveSoakReport): string[] {
  const { recordedSeconds, participants } = report
  const expected = Math.floor((recordedSeconds / PERIOD) * (1 - MAX_MISSING)) - 2
  const spread = spreadOf(participants)
  return [
    ...participants.flatMap((delays, index) => {
      const name = `Participant ${index + 1}`
      const [skew, drift] = [skewOf(delays), driftOf(delays)]
      return [
        ...(delays.flashes.length < expected
          ? [`${name}: ${delays.flashes.length} of ${expected} flashes are found.`]
          : []),
        ...(delays.beeps.length < expected ? [`${name}: ${delays.beeps.length} of ${expected} beeps are found.`] : []),
        ...(Math.abs(skew) <= MAX_SKEW ? [] : [`${name}: picture and audio are ${skew.toFixed(0)} ms apart.`]),
        ...(Math.abs(drift) <= MAX_SKEW ? [] : [`${name}: picture and audio have drifted by ${drift.toFixed(0)} ms.`]),
      ]
    }),
    ...(spread <= MAX_SPREAD ? [] : [`The participants are ${spread.toFixed(0)} ms apart.`]),
    ...problemsOfRun(report),
  ]
}

/** Formats the results for the terminal. */
export function describeLiveReport(report: LiveSoakReport): string {
  const { seconds, recordedSeconds, participants, memory, processesLeft } = report
  const growth = memoryGrowth(memory)
  const problems = liveSoakProblems(report)
  const ms = (value: number) => `${value.toFixed(0)} ms`
  return [
    `${(seconds / 60).toFixed(1)} minutes, ${recordedSeconds} s recorded`,
    ...participants.map(
      (delays, index) =>
        `participant ${index + 1}   ${delays.flashes.length} flashes, ${delays.beeps.length} beeps; audio ${ms(skewOf(delays))} after the picture, drift ${ms(driftOf(delays))}`,
    ),
    `between them    ${ms(spreadOf(participants))}`,
    `memory          ${growth ? `${inMegabytes(growth.first)} at first, ${inMegabytes(growth.last)} at last` : 'too few figures'}`,
    `processes left  ${processesLeft}`,
    ...(problems.length > 0 ? problems : ['No problems.']),
  ]
    .map((line) => `${line}\n`)
    .join('')
}
