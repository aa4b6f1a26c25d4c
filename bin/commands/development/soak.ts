import { Command, InvalidArgumentError } from 'commander'
import { interruptible } from '../../local/interruption.ts'
import { describeReport, problemsOf } from '../../soak/report.ts'
import { soak } from '../../soak/soak.ts'

interface Options {
  readonly minutes: number
  readonly seed: number
}

/** An archive ends after four hours. */
const MAX_MINUTES = 235

export const soakCommand = () =>
  new Command('soak')
    .description(
      'record a session of the sandbox in real time while people come, go, are muted and rearranged each few seconds; then look for lost or repeated time, growing memory and processes left behind. Ctrl-C ends it early, with what there is by then',
    )
    .option('--minutes <number>', 'how long', parseMinutes, 60)
    .option('--seed <number>', 'decides what happens, and when', parseSeed, 1)
    .action((options: Options) => interruptible((signal) => run(options, signal)))

async function run({ minutes, seed }: Options, signal: AbortSignal): Promise<void> {
  const report = await soak({ minutes, seed, signal, onStep: (words) => process.stderr.write(`… ${words}\n`) })
  process.stdout.write(describeReport(report))
  process.exitCode = problemsOf(report).length > 0 ? 1 : 0
}

function parseMinutes(text: string): number {
  const minutes = Number(text)
  if (!(minutes > 0 && minutes <= MAX_MINUTES))
    throw new InvalidArgumentError(`It must be more than 0 and at most ${MAX_MINUTES}.`)
  return minutes
}

function parseSeed(text: string): number {
  const seed = Number(text)
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(seed)) throw new InvalidArgumentError('It must be a whole number.')
  return seed
}
