import { Command, InvalidArgumentError } from 'commander'
import { interruptible } from '../../local/interruption.ts'
import { wholeNumber } from '../../parsers.ts'
import { printResult } from '../../print.ts'
import { describeLiveReport, liveSoakProblems } from '../../soak/live/live-report.ts'
import { soakLive } from '../../soak/live/live-soak.ts'
import { describeReport, soakProblems } from '../../soak/report.ts'
import { soak } from '../../soak/soak.ts'

interface Options {
  readonly minutes: number
  readonly seed: number
  readonly live?: boolean
  readonly json?: boolean
}

/** An archive stops after four hours. */
const MAX_MINUTES = 235

export const soakCommand = () =>
  new Command('soak')
    .description(
      'record a sandbox session in real time while participants join, leave, are muted and rearranged every few seconds; then check the recording, memory and leftover processes',
    )
    .option('--minutes <number>', 'duration of the recording', parseMinutes, 60)
    .option('--seed <number>', 'seed of the actions and their times', wholeNumber(0), 1)
    .option('--live', 'record two Chromium participants instead, and check that picture and audio stay in sync')
    .option('--json', 'print only the figures and { problems }, as JSON')
    .addHelpText(
      'after',
      '\nThe checks find lost or repeated time, growing memory and processes that outlive the sandbox. Ctrl-C stops the recording\nearly and checks it.',
    )
    .action((options: Options) =>
      interruptible((signal) => (options.live ? runLive(options, signal) : runSoak(options, signal))),
    )

async function runSoak({ minutes, seed, json }: Options, signal: AbortSignal): Promise<void> {
  const report = await soak({ minutes, seed, signal, onStep: (step) => process.stderr.write(`… ${step}\n`) })
  finish(json, { ...report, problems: soakProblems(report) }, describeReport(report))
}

async function runLive({ minutes, json }: Options, signal: AbortSignal): Promise<void> {
  const report = await soakLive({ minutes, signal, onStep: (step) => process.stderr.write(`… ${step}\n`) })
  finish(json, { ...report, problems: liveSoakProblems(report) }, describeLiveReport(report))
}

/** Prints a report. The exit code is 1 if it has problems. */
function finish(json: boolean | undefined, report: { readonly problems: readonly string[] }, text: string): void {
  printResult(json, report, [text.trimEnd()])
  process.exitCode = report.problems.length > 0 ? 1 : 0
}

function parseMinutes(text: string): number {
  const minutes = Number(text)
  if (!(minutes > 0 && minutes <= MAX_MINUTES))
    throw new InvalidArgumentError(`It must be more than 0 and at most ${MAX_MINUTES}.`)
  return minutes
}
