import { existsSync } from 'node:fs'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { Command } from 'commander'
import { realClock } from '../../../lib/clock.ts'
import { demoParticipants } from '../../../local/simulation/environment/participants.ts'
import type { JoinServer } from '../../join/join-server.ts'
import { awsAccessOf } from '../../local/aws-access.ts'
import { type Browser, findBrowser } from '../../local/browser.ts'
import { aborted, interruptible } from '../../local/interruption.ts'
import type { Local } from '../../local/local.ts'
import { root, startCall, workFolder } from '../../local/root.ts'
import { makeWritable } from '../../local/writable-folder.ts'
import { printResult } from '../../print.ts'
import { afterTheFirst } from '../../shows/audience.ts'
import { followWithProgress } from '../../shows/follow-with-progress.ts'
import { labelOf, outcomeOf, verdictOf } from '../../shows/outcome.ts'
import type { ShowSnapshot } from '../../shows/poll-show.ts'
import { inMegabytes, showSteps } from '../../shows/progress.ts'
import { createRunningPublishes } from '../../shows/running-publishes.ts'
import { type Saved, saveRecording } from '../../shows/save.ts'
import { createShowApi, type RecordingAnswer } from '../../shows/show-api.ts'

export const demoCommand = () =>
  new Command('demo')
    .description('run a 20-second show on this machine: record, broadcast and publish it')
    .option('--directory <dir>', 'directory for all files; emptied first', join(workFolder, '.showrunner/demo'))
    .option('--join', 'wait for you in the browser, and record you with the participants for 45 seconds')
    .option('--open', 'open the watch page in the browser, and keep it until Ctrl-C')
    .option('--json', 'print only the result, as one JSON object, to standard output')
    .action(({ json = false, join: isJoined = false, open = false, directory: path }: Options) =>
      interruptible(async (signal) => {
        const browser = open ? await findBrowser() : undefined
        const directory = await prepare(path)
        const stream = json ? process.stderr : process.stdout
        await runDemo({ directory, isJoined, json, browser, stream, signal })
      }),
    )

interface Options {
  readonly directory: string
  readonly join?: boolean
  readonly open?: boolean
  readonly json?: boolean
}

/** Marks the folder of a demo, so that no other folder is ever emptied. */
const MARK = '.showrunner-demo'

/**
 * Creates the folder, or empties that of an earlier demo.
 * @throws Error when it holds other files
 */
async function prepare(path: string): Promise<string> {
  const directory = resolve(path)
  const present: string[] = await readdir(directory).catch(() => [])
  if (present.length > 0 && !present.includes(MARK))
    throw new Error(`${directory} holds files that are not of a demo. Choose an empty folder.`)
  if (present.length > 0) await rm(directory, { recursive: true, force: true })
  await makeWritable(directory)
  await writeFile(join(directory, MARK), '')
  return directory
}

interface Run {
  readonly directory: string
  /** Waits for a participant from a browser, and lets the participants join then. */
  readonly isJoined: boolean
  readonly json: boolean
  /** Opens the watch page, which is then served until an interruption. */
  readonly browser: Browser | undefined
  readonly stream: NodeJS.WriteStream
  readonly signal: AbortSignal
}

/** Seconds of live time, and for opening the link. */
const FOR_A_PERSON = { duration: 45, audienceWait: 3_600 }
/** Milliseconds for which the watch pages stay on a terminal. */
const WATCHABLE_MS = 60_000

/** Starts, runs and saves everything, prints the result, and closes all. An interruption before that leaves nothing behind. */
async function runDemo({ directory, isJoined, json, browser, stream, signal }: Run): Promise<void> {
  const startedAt = Date.now()
  const example = JSON.parse(await readFile(join(root, 'examples/webinar.json'), 'utf8'))
  const show = isJoined ? { ...example, ...FOR_A_PERSON } : example
  let local: Local | undefined
  let page: JoinServer | undefined
  let isSaved = false
  try {
    local = await startWithProgress({ directory, stream, signal })
    signal.throwIfAborted()
    const access = { apiUrl: local.cloud.apiUrl, token: local.tokens.admin }
    const sandboxUrl = local.sandbox.url
    if (isJoined) {
      const { startJoinPage } = await import('../../join/join-server.ts')
      page = await startJoinPage({ access, sandboxUrl })
      stream.write(`\nThe show waits for you. Join it in a browser:\n\n  ${page.joinUrl}\n\n`)
    }
    const { showId } = await createShowApi(access).shows.start(show)
    const participants = isJoined ? afterTheFirst(demoParticipants) : demoParticipants
    using publishes = createRunningPublishes(
      awsAccessOf(local.cloud),
      local.cloud.cloud.outputs.PublishMachineArn ?? '',
    )
    const options = { access, sandboxUrl, showId, participants, publishes, signal }
    const snapshot = await followWithProgress(show, stream, options)
    const stay = browser ? Number.POSITIVE_INFINITY : stream.isTTY && !json ? WATCHABLE_MS : 0
    const collected = await collect(local, stay > 0 ? snapshot : withoutLinks(snapshot), directory)
    signal.throwIfAborted()
    isSaved = true
    const outcome = { ...collected, seconds: Math.round((Date.now() - startedAt) / 100) / 10 }
    const { isSuccess, sentence } = verdictOf(outcome)
    printResult(json, outcome, [...summarize(outcome, stay), '', sentence])
    await serveWatchPages(outcome, stay, { browser, signal })
    process.exitCode = isSuccess ? 0 : 1 // Ctrl-C is the normal way to close the watch pages
  } finally {
    await page?.close()
    await local?.close()
    if (signal.aborted && !isSaved) {
      await rm(directory, { recursive: true, force: true })
      process.stderr.write('Interrupted. Everything is stopped, and no file of this show was kept.\n')
    }
  }
}

/** Keeps the watch pages for some milliseconds, or until an interruption. */
async function serveWatchPages(
  { recordings }: DemoOutcome,
  stay: number,
  { browser, signal }: Pick<Run, 'browser' | 'signal'>,
): Promise<void> {
  const { watch } = recordings.find(({ watch }) => watch) ?? {}
  if (!watch || stay === 0) return
  browser?.open(watch)
  if (stay === Number.POSITIVE_INFINITY) return aborted(signal)
  await realClock.sleep(stay, signal).catch(() => {}) // Ctrl-C closes them sooner
}

/** Starts the local system as a step that is shown. Returns it even after an interruption, so that it can be closed. */
async function startWithProgress({
  directory,
  stream,
  signal,
}: Pick<Run, 'directory' | 'stream' | 'signal'>): Promise<Local> {
  let starting: Promise<Local> | undefined
  const run = async (report: (step: string) => void) => {
    report('loading') // takes most of a second
    starting = import('../../local/local.ts').then(({ startLocal }) =>
      startLocal({ directory, signal, onStep: report }),
    )
    const { sandbox, cloud } = await starting
    return `Sandbox at ${sandbox.url}, cloud at ${cloud.awsUrl}`
  }
  await showSteps([{ title: 'Sandbox and cloud', run }], { stream, signal })
  return starting ?? Promise.reject(signal.reason) // no step starts after an interruption
}

/** The outcome with the paths of all files. `seconds` is wall time. */
type DemoOutcome = Awaited<ReturnType<typeof collect>> & { readonly seconds: number }

/** Saves the published recordings, and returns the outcome with the paths of all files. */
async function collect({ cloud, tokens: { admin: token } }: Local, snapshot: ShowSnapshot, directory: string) {
  const outcome = outcomeOf(snapshot)
  const api = createShowApi({ apiUrl: cloud.apiUrl, token })
  const recordings = outcome.recordings.map(async (recording) => {
    const published = snapshot.published.find(({ archiveId }) => archiveId === recording.archiveId)
    const complete = published && (await api.recordings.get(published.archiveId))
    const saved = complete && (await saveRecording(complete, join(directory, folderOf(recording))))
    return { ...recording, file: saved?.file ?? null, manifest: saved?.manifest ?? null, made: saved?.made ?? null }
  })
  const broadcasts = outcome.broadcasts.map((broadcast) => {
    const playlist = join(directory, 'sandbox/media', broadcast.broadcastId ?? 'none', 'index.m3u8')
    return { ...broadcast, playlist: existsSync(playlist) ? playlist : null }
  })
  const executionArn = `${cloud.cloud.outputs.ShowMachineArn?.replace(':stateMachine:', ':execution:')}:${outcome.showId}`
  const { figuresOf } = await import('../../local/execution-figures.ts')
  const execution = await figuresOf(executionArn, awsAccessOf(cloud))
  return { ...outcome, recordings: await Promise.all(recordings), broadcasts, execution }
}

/** Removes the links to watch pages, which end with the demo. */
const withoutLinks = (snapshot: ShowSnapshot): ShowSnapshot => ({
  ...snapshot,
  published: snapshot.published.map(({ watch: _, ...recording }) => recording as RecordingAnswer),
})

/** Names the folder of a part. The first part has the name of the recording. */
const folderOf = ({ name, part }: { name: string; part: number }) => (part === 1 ? name : `${name}-${part}`)

/** @param stay milliseconds for which the watch pages stay */
function summarize(outcome: DemoOutcome, stay: number): string[] {
  const { recordings, broadcasts, reason, seconds, execution } = outcome
  return [
    '',
    `The demo took ${seconds} s. ${reason}`,
    '',
    ...recordings.flatMap(({ file, made, size, duration, problem, ...recording }) =>
      file
        ? [
            `  ${labelOf(recording).padEnd(10)} ${relative(process.cwd(), file)}  (${duration} s, ${inMegabytes(size ?? 0)})${problem ? `  ${problem}` : ''}`,
            `${' '.repeat(13)}${formatsOf(made ?? {})}`,
            ...(stay > 0 && recording.watch ? [`${' '.repeat(13)}watch it: ${recording.watch}`] : []),
          ]
        : [`  ${labelOf(recording).padEnd(10)} no file: ${problem ?? 'it was not published'}`],
    ),
    ...broadcasts.map(
      ({ name, playlist }) => `  ${name.padEnd(10)} ${playlist ? relative(process.cwd(), playlist) : 'was not on air'}`,
    ),
    '',
    'Open the .mp4 files with any player. Beside each are its published files and its manifest.',
    `The playlist plays in VLC or ffplay. \`${startCall}\` runs the same with a console.`,
    `(${execution.transitions} state transitions, ${execution.invocations} function calls.)`,
    ...(stay > 0 ? [`The watch pages stay ${stay === WATCHABLE_MS ? 'for a minute, or until' : 'until'} Ctrl-C.`] : []),
  ]
}

const formatsOf = (made: Saved['made']) =>
  Object.entries(made)
    .map(([format, bytes]) => `${format === 'hls' ? 'HLS in every size' : format} ${sizeOf(bytes)}`)
    .join(', ')

const sizeOf = (bytes: number) => (bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : inMegabytes(bytes))
