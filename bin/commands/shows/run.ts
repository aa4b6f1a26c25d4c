import { resolve } from 'node:path'
import { Command } from 'commander'
import type { ShowDocument } from '../../../lib/client/documents.ts'
import { ShowrunnerError } from '../../../lib/client/showrunner-error.ts'
import { realClock } from '../../../lib/clock.ts'
import { type Browser, findBrowser } from '../../local/browser.ts'
import { interruptible } from '../../local/interruption.ts'
import { findRunningLocal, localFileOf, type RunningLocal } from '../../local/local-file.ts'
import { stateDirectory } from '../../local/root.ts'
import { wholeNumber } from '../../parsers.ts'
import { printResult } from '../../print.ts'
import type { AudienceParticipant } from '../../shows/audience.ts'
import { followWithProgress, type ShowFile } from '../../shows/follow-with-progress.ts'
import { labelOf, type Outcome, outcomeOf, verdictOf } from '../../shows/outcome.ts'
import { inMegabytes } from '../../shows/progress.ts'
import { createRunningPublishes } from '../../shows/running-publishes.ts'
import { createShowApi } from '../../shows/show-api.ts'
import { readShowFile } from '../../shows/show-file.ts'

interface Options {
  readonly participants: number
  readonly directory: string
  readonly open?: boolean
  readonly json?: boolean
}

const MAX_PARTICIPANTS = 50
const NAMES = ['Ada', 'Grace', 'Linus', 'Margaret', 'Alan', 'Barbara', 'Dennis', 'Frances', 'Ken', 'Radia'] as const

export const runCommand = () =>
  new Command('run')
    .description('run a show on the running `npm start`, and follow it to its end')
    .argument('<file>', 'show document (JSON), or - for standard input')
    .option(
      '--participants <number>',
      'number of participants that join for the whole show',
      wholeNumber(0, MAX_PARTICIPANTS),
      0,
    )
    .option('--open', 'open the watch page in the browser when the show is published')
    .option('--directory <dir>', 'directory of the running `npm start`', stateDirectory)
    .option('--json', 'print only the result, as one JSON object, to standard output')
    .action((file: string, options: Options) => interruptible((signal) => runRun(file, options, signal)))

async function runRun(file: string, options: Options, signal: AbortSignal): Promise<void> {
  const { directory, json = false } = options
  const show = (await readShowFile(file)) as ShowFile
  const browser = options.open ? await findBrowser() : undefined
  const local = await findRunningLocal(localFileOf(resolve(directory)))
  const { showId, status } = await createShowApi(local).shows.start(show as ShowDocument)
  if (status === 'scheduled') {
    const message = `Show ${showId} is scheduled. The console shows it: ${local.consoleUrl}`
    return printResult(json, { showId, status }, [message])
  }
  const stream = json ? process.stderr : process.stdout
  const { sandboxUrl } = local
  const participants = participantsFor(options.participants)
  using publishes = createRunningPublishes(local.awsAccess, local.outputs.PublishMachineArn ?? '')
  try {
    const { joinUrl } = local
    const options = { access: local, sandboxUrl, showId, participants, publishes, joinUrl, signal }
    const outcome = outcomeOf(await followWithProgress(show, stream, options))
    const verdict = verdictOf(outcome)
    printResult(json, outcome, [...summarize(outcome, local), '', verdict.sentence])
    openFirst(outcome, browser)
    if (!verdict.isSuccess) process.exitCode = 1
  } catch (error) {
    if (signal.aborted)
      stream.write(`Interrupted. Show ${showId} continues; the console shows it: ${local.consoleUrl}\n`)
    else if (!isRefusal(error) && (await hasStopped(localFileOf(resolve(directory)))))
      throw new Error('Showrunner was stopped. It closes the show when it is started again.', { cause: error })
    throw error
  }
}

const isRefusal = (error: unknown) =>
  error instanceof ShowrunnerError && error.status !== undefined && error.status < 500

/** Attempts to find out whether `npm start` was stopped: it refuses requests some seconds before it has ended. */
const STOP_CHECKS = 20
const STOP_CHECK_MS = 500

/** Returns true if `npm start` ends within ten seconds, so that its end explains an error of the API. */
async function hasStopped(file: string): Promise<boolean> {
  for (let check = 0; check < STOP_CHECKS; check++) {
    if (!(await findRunningLocal(file).catch(() => undefined))) return true
    await realClock.sleep(STOP_CHECK_MS)
  }
  return false
}

/** Opens the watch page of the first recording that can be watched. */
function openFirst({ recordings }: Outcome, browser: Browser | undefined): void {
  const { watch } = recordings.find(({ watch }) => watch) ?? {}
  if (watch) browser?.open(watch)
}

/** Returns participants with different names who attend the whole show. */
export const participantsFor = (count: number): readonly AudienceParticipant[] =>
  Array.from({ length: count }, (_, index) => {
    const round = Math.floor(index / NAMES.length)
    const name = NAMES[index % NAMES.length] as string
    return { name: round === 0 ? name : `${name} ${round + 1}` }
  })

function summarize(
  { showId, status, reason, recordings, broadcasts }: Outcome,
  { consoleUrl }: RunningLocal,
): string[] {
  return [
    '',
    `Show ${showId} ${status}. ${reason}`,
    '',
    ...recordings.map(({ duration, size, published, problem, ...recording }) => {
      const facts =
        size === undefined ? 'no file' : `${duration} s, ${inMegabytes(size)}, ${published ?? 'not published'}`
      return [
        `  ${labelOf(recording).padEnd(12)} ${facts}${problem ? `: ${problem}` : ''}`,
        ...(recording.watch ? [`  ${''.padEnd(12)} watch it: ${recording.watch}`] : []),
      ].join('\n')
    }),
    ...broadcasts.map(({ hls, ...broadcast }) => `  ${labelOf(broadcast).padEnd(12)} ${hls ?? 'was not on air'}`),
    '',
    `Console: ${consoleUrl}`,
  ]
}
