import { Command, Option } from 'commander'
import type { ShowDocument } from '../../../lib/client/documents.ts'
import { ShowrunnerError } from '../../../lib/client/showrunner-error.ts'
import { realClock } from '../../../lib/clock.ts'
import { durationMs } from '../../controls/parse-end.ts'
import { type Browser, findBrowser } from '../../local/browser.ts'
import { interruptible } from '../../local/interruption.ts'
import { findRunningLocal, localFileOf } from '../../local/local-file.ts'
import { startCall } from '../../local/root.ts'
import { findTarget, optionsOf, type Target, type TargetOptions, withTarget } from '../../operations/target.ts'
import { wholeNumber } from '../../parsers.ts'
import { printResult } from '../../print.ts'
import { assumePublishes } from '../../shows/assumed-publishes.ts'
import type { AudienceParticipant } from '../../shows/audience.ts'
import { followWithProgress, type ShowFile } from '../../shows/follow-with-progress.ts'
import { labelOf, type Outcome, outcomeOf, verdictOf } from '../../shows/outcome.ts'
import type { ShowSnapshot } from '../../shows/poll-show.ts'
import { inMegabytes } from '../../shows/progress.ts'
import { createRunningPublishes } from '../../shows/running-publishes.ts'
import { createShowApi } from '../../shows/show-api.ts'
import { readShowFile } from '../../shows/show-file.ts'
import { describeStartAndNext } from '../../terminal/starts.ts'

interface Options extends TargetOptions {
  readonly participants: number
  readonly publishWait: number
  readonly open?: boolean
  readonly json?: boolean
}

const MAX_PARTICIPANTS = 50
const NAMES = ['Ada', 'Grace', 'Linus', 'Margaret', 'Alan', 'Barbara', 'Dennis', 'Frances', 'Ken', 'Radia'] as const
/** A deployment is polled more rarely, since each request costs. */
const DEPLOYMENT_INTERVAL_MS = 2_000

export const runCommand = () =>
  withTarget(
    new Command('run').description(
      `start a show on the running \`${startCall}\` or a deployment, and follow it to its end`,
    ),
  )
    .argument('<file>', 'show document (JSON), or - for standard input')
    .option(
      '--participants <number>',
      'number of participants that join for the whole show; only locally',
      wholeNumber(0, MAX_PARTICIPANTS),
      0,
    )
    .addOption(
      new Option('--publish-wait <duration>', 'longest time to wait for publishing on a deployment, such as 90m')
        .argParser(durationMs)
        .default(durationMs('2h'), '2h'),
    )
    .option('--open', 'open the watch page in the browser when the show is published')
    .option('--json', 'print only the result, as one JSON object, to standard output')
    .addHelpText(
      'after',
      `
Without participants the show waits for people: it prints how they come in, and until when. Ctrl-C leaves the show running.

Examples:
  showrunner run examples/webinar.json --participants 3
  showrunner run examples/webinar.json --stage prod`,
    )
    .action((file: string, options: Options) => interruptible((signal) => runRun(file, options, signal)))

async function runRun(file: string, options: Options, signal: AbortSignal): Promise<void> {
  const { json = false } = options
  const show = (await readShowFile(file)) as ShowFile
  const browser = options.open ? await findBrowser() : undefined
  const target = await findTarget(options)
  if (target.kind === 'deployment' && options.participants > 0)
    throw new Error(
      'Participants can join local shows only. Leave --participants out, and let people join with your app.',
    )
  const { shows } = createShowApi(target.access)
  const { showId, status } = await shows.start(show as ShowDocument)
  if (status === 'scheduled') {
    const { start } = await shows.get(showId)
    const when = start ? `: it starts ${describeStartAndNext(start, realClock.now())}` : ''
    const message = `Show ${showId} is scheduled${when}; ${whereToLook(target, showId)}`
    return printResult(json, { showId, status }, [message])
  }
  const stream = json ? process.stderr : process.stdout
  try {
    const outcome = outcomeOf(await follow(target, show, showId, { ...options, stream, signal }))
    const verdict = verdictOf(outcome)
    printResult(json, outcome, [
      ...summarize(outcome),
      '',
      `Details: ${whereToLook(target, showId)}`,
      '',
      verdict.sentence,
    ])
    openFirst(outcome, browser)
    if (!verdict.isSuccess) process.exitCode = 1
  } catch (error) {
    if (signal.aborted) stream.write(`Interrupted. Show ${showId} continues; ${whereToLook(target, showId)}\n`)
    else if (target.kind === 'local' && !isRefusal(error) && (await hasStopped(localFileOf(target.directory))))
      throw new Error('Showrunner was stopped. It closes the show when it is started again.', { cause: error })
    throw error
  }
}

type FollowOptions = Options & { readonly stream: NodeJS.WriteStream; readonly signal: AbortSignal }

/** Follows a show to the end of its publishing. */
async function follow(
  target: Target,
  show: ShowFile,
  showId: string,
  { participants: count, publishWait, stream, signal }: FollowOptions,
): Promise<ShowSnapshot> {
  const options = { access: target.access, showId, participants: participantsFor(count), signal }
  if (target.kind === 'deployment') {
    const publishes = assumePublishes(publishWait, realClock)
    return followWithProgress(show, stream, { ...options, sandboxUrl: '', publishes, interval: DEPLOYMENT_INTERVAL_MS })
  }
  const { awsAccess, outputs, sandboxUrl, joinUrl } = target.local
  using publishes = createRunningPublishes(awsAccess, outputs.PublishMachineArn ?? '')
  return await followWithProgress(show, stream, { ...options, sandboxUrl, publishes, joinUrl })
}

/** Names the console of the running `npm start`, or the command that prints the outcome of a deployed show, in a sentence. */
const whereToLook = (target: Target, showId: string) =>
  target.kind === 'local'
    ? `the console shows it: ${target.local.consoleUrl}`
    : `\`show ${showId}${optionsOf(target)}\` prints its progress and its outcome.`

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

function summarize({ showId, status, reason, recordings, broadcasts }: Outcome): string[] {
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
    ...broadcasts.flatMap(({ hls, rtmp, ...broadcast }) => [
      `  ${labelOf(broadcast).padEnd(12)} ${hls ?? (rtmp.length > 0 ? 'sent by RTMP' : 'was not on air')}`,
      ...rtmp.map(({ id, status }) => `  ${''.padEnd(12)} ${id}: ${status} at the end`),
    ]),
  ]
}
