import { resolve } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import { interruptible } from '../../local/interruption.ts'
import { findRunningLocal, localFileOf, type RunningLocal } from '../../local/local-file.ts'
import { stateDirectory } from '../../local/root.ts'
import { type Guest, guestNames } from '../../shows/audience.ts'
import { followAndAdmit, type ShowFile } from '../../shows/follow-and-admit.ts'
import { isSuccess, labelOf, type Outcome, outcomeOf } from '../../shows/outcome.ts'
import { inMegabytes } from '../../shows/progress.ts'
import { createShowApi } from '../../shows/show-api.ts'
import { readShowFile } from '../../shows/show-file.ts'

interface Options {
  readonly participants: number
  readonly directory: string
  readonly json?: boolean
}

const MAX_PARTICIPANTS = 50

export const runCommand = () =>
  new Command('run')
    .description('run a show on the laptop that `npm start` has started, and follow it to its end')
    .argument('<file>', 'the show document, JSON')
    .option('--participants <number>', 'how many come and stay; without any it waits for others', parseCount, 0)
    .option('--directory <dir>', 'the one given to `npm start`', stateDirectory)
    .option('--json', 'print the result as one JSON object, and nothing else, to standard output')
    .action((file: string, options: Options) => interruptible((signal) => runShow(file, options, signal)))

async function runShow(file: string, options: Options, signal: AbortSignal): Promise<void> {
  const { participants, directory, json = false } = options
  const show = (await readShowFile(file)) as ShowFile
  const laptop = await findRunningLocal(localFileOf(resolve(directory)))
  const { showId, status } = await createShowApi(laptop).post(show)
  if (status === 'scheduled') {
    const words = `Show ${showId} is scheduled. The console shows it: ${laptop.consoleUrl}\n`
    process.stdout.write(json ? `${JSON.stringify({ showId, status }, null, 2)}\n` : words)
    return
  }
  const stream = json ? process.stderr : process.stdout
  const { sandboxUrl } = laptop
  const guests = guestsFor(participants)
  try {
    const outcome = outcomeOf(
      await followAndAdmit({ access: laptop, sandboxUrl, showId, show, guests, stream, signal }),
    )
    process.stdout.write(json ? `${JSON.stringify(outcome, null, 2)}\n` : summarize(outcome, laptop))
    if (!isSuccess(outcome)) process.exitCode = 1
  } catch (error) {
    if (signal.aborted)
      stream.write(`No longer following; show ${showId} goes on. The console shows it: ${laptop.consoleUrl}\n`)
    throw error
  }
}

/** They are there from the beginning to the end. */
export const guestsFor = (count: number): readonly Guest[] =>
  Array.from({ length: count }, (_, index) => {
    const round = Math.floor(index / guestNames.length)
    const name = guestNames[index % guestNames.length] as string
    return { name: round === 0 ? name : `${name} ${round + 1}` }
  })

function summarize({ showId, status, reason, recordings, broadcasts }: Outcome, { consoleUrl }: RunningLocal): string {
  const lines = [
    '',
    `Show ${showId} ${status}. ${reason}`,
    '',
    ...recordings.map(({ duration, size, published, problem, ...recording }) => {
      const facts =
        size === undefined ? 'no file' : `${duration} s, ${inMegabytes(size)}, ${published ?? 'not published'}`
      return `  ${labelOf(recording).padEnd(12)} ${facts}${problem ? `: ${problem}` : ''}`
    }),
    ...broadcasts.map(({ hls, ...broadcast }) => `  ${labelOf(broadcast).padEnd(12)} ${hls ?? 'was not on air'}`),
    '',
    `Watch it in the console: ${consoleUrl}`,
    '',
  ]
  return lines.join('\n')
}

function parseCount(text: string): number {
  const count = Number(text)
  if (!/^\d+$/.test(text) || count > MAX_PARTICIPANTS)
    throw new InvalidArgumentError(`It must be a whole number from 0 to ${MAX_PARTICIPANTS}.`)
  return count
}
