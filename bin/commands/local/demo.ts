import { existsSync } from 'node:fs'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { Command } from 'commander'
import { demoParticipants } from '../../../local/simulation/environment/participants.ts'
import { type JoinServer, startJoinPage } from '../../join/join-server.ts'
import { awsAccessOf } from '../../local/aws-access.ts'
import { figuresOf } from '../../local/execution-figures.ts'
import { interruptible } from '../../local/interruption.ts'
import { type Local, startLocal } from '../../local/local.ts'
import { root } from '../../local/root.ts'
import { makeWritable } from '../../local/writable-folder.ts'
import { printResult } from '../../print.ts'
import { afterTheFirst } from '../../shows/audience.ts'
import { followWithProgress } from '../../shows/follow-with-progress.ts'
import { isSuccess, labelOf, outcomeOf } from '../../shows/outcome.ts'
import type { ShowSnapshot } from '../../shows/poll-show.ts'
import { inMegabytes, showSteps } from '../../shows/progress.ts'
import { type Saved, saveRecording } from '../../shows/save.ts'
import { createShowApi } from '../../shows/show-api.ts'

export const demoCommand = () =>
  new Command('demo')
    .description('run a 20-second show on this machine: record, broadcast and publish it')
    .option('--directory <dir>', 'directory for all files; emptied first', join(root, '.showrunner/demo'))
    .option('--join', 'wait for you in the browser, and record you with the participants for 45 seconds')
    .option('--json', 'print only the result, as one JSON object, to standard output')
    .action(({ json = false, join: isJoined = false, directory }: Options) =>
      interruptible(async (signal) => {
        const stream = json ? process.stderr : process.stdout
        const outcome = await runDemo({ directory: await prepare(directory), isJoined, stream, signal })
        signal.throwIfAborted() // its files were removed
        printResult(json, outcome, summarize(outcome))
        if (!isSuccess(outcome)) process.exitCode = 1
      }),
    )

interface Options {
  readonly directory: string
  readonly join?: boolean
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
  readonly stream: NodeJS.WriteStream
  readonly signal: AbortSignal
}

/** Seconds of live time, and for opening the link. */
const FOR_A_PERSON = { duration: 45, audienceWait: 3_600 }

/** Starts, runs and saves everything, and closes it again. An interruption leaves nothing behind. */
async function runDemo({ directory, isJoined, stream, signal }: Run) {
  const startedAt = Date.now()
  const example = JSON.parse(await readFile(join(root, 'examples/webinar.json'), 'utf8'))
  const show = isJoined ? { ...example, ...FOR_A_PERSON } : example
  let local: Local | undefined
  let page: JoinServer | undefined
  try {
    local = await startWithProgress({ directory, stream, signal })
    signal.throwIfAborted()
    const access = { apiUrl: local.cloud.apiUrl, token: local.tokens.admin }
    const sandboxUrl = local.sandbox.url
    if (isJoined) {
      page = await startJoinPage({ access, sandboxUrl })
      stream.write(`\nThe show waits for you. Join it in a browser:\n\n  ${page.joinUrl}\n\n`)
    }
    const { showId } = await createShowApi(access).post(show)
    const participants = isJoined ? afterTheFirst(demoParticipants) : demoParticipants
    const options = { access, sandboxUrl, showId, participants, signal }
    const snapshot = await followWithProgress(show, stream, options)
    const outcome = await collect(local, snapshot, directory)
    return { ...outcome, seconds: Math.round((Date.now() - startedAt) / 100) / 10 }
  } finally {
    await page?.close()
    await local?.close()
    if (signal.aborted) {
      await rm(directory, { recursive: true, force: true })
      process.stderr.write('Interrupted. Everything is stopped, and no file of this show was kept.\n')
    }
  }
}

/** Starts the local system as a step that is shown. Returns it even after an interruption, so that it can be closed. */
async function startWithProgress({ directory, stream, signal }: Omit<Run, 'isJoined'>): Promise<Local> {
  let starting: Promise<Local> | undefined
  const run = async (report: (step: string) => void) => {
    starting = startLocal({ directory, signal, onStep: report })
    const { sandbox, cloud } = await starting
    return `Sandbox at ${sandbox.url}, cloud at ${cloud.awsUrl}`
  }
  await showSteps([{ title: 'Sandbox and cloud', run }], { stream, signal })
  return starting ?? Promise.reject(signal.reason) // no step starts after an interruption
}

/** The outcome with the paths of all files. `seconds` is wall time. */
type DemoOutcome = Awaited<ReturnType<typeof runDemo>>

/** Saves the published recordings, and returns the outcome with the paths of all files. */
async function collect({ cloud, tokens: { admin: token } }: Local, snapshot: ShowSnapshot, directory: string) {
  const outcome = outcomeOf(snapshot)
  const api = createShowApi({ apiUrl: cloud.apiUrl, token })
  const recordings = outcome.recordings.map(async (recording) => {
    const published = snapshot.published.find(({ archiveId }) => archiveId === recording.archiveId)
    const complete = published && (await api.recording(published.archiveId))
    const saved = complete && (await saveRecording(complete, join(directory, folderOf(recording))))
    return { ...recording, file: saved?.file ?? null, manifest: saved?.manifest ?? null, made: saved?.made ?? null }
  })
  const broadcasts = outcome.broadcasts.map((broadcast) => {
    const playlist = join(directory, 'sandbox/media', broadcast.broadcastId ?? 'none', 'index.m3u8')
    return { ...broadcast, playlist: existsSync(playlist) ? playlist : null }
  })
  const executionArn = `${cloud.cloud.outputs.ShowMachineArn?.replace(':stateMachine:', ':execution:')}:${outcome.showId}`
  const execution = await figuresOf(executionArn, awsAccessOf(cloud))
  return { ...outcome, recordings: await Promise.all(recordings), broadcasts, execution }
}

/** Names the folder of a part. The first part has the name of the recording. */
const folderOf = ({ name, part }: { name: string; part: number }) => (part === 1 ? name : `${name}-${part}`)

function summarize(outcome: DemoOutcome): string[] {
  const { recordings, broadcasts, status, reason, seconds, execution } = outcome
  return [
    '',
    `The show ${status} after ${seconds} s. ${reason}`,
    '',
    ...recordings.flatMap(({ file, made, size, duration, problem, ...recording }) =>
      file
        ? [
            `  ${labelOf(recording).padEnd(10)} ${relative(process.cwd(), file)}  (${duration} s, ${inMegabytes(size ?? 0)})${problem ? `  ${problem}` : ''}`,
            `${' '.repeat(13)}${formatsOf(made ?? {})}`,
          ]
        : [`  ${labelOf(recording).padEnd(10)} no file: ${problem ?? 'it was not published'}`],
    ),
    ...broadcasts.map(
      ({ name, playlist }) => `  ${name.padEnd(10)} ${playlist ? relative(process.cwd(), playlist) : 'was not on air'}`,
    ),
    '',
    'Open the .mp4 files with any player. Beside each are its published files and its manifest.',
    'The playlist plays in VLC or ffplay. `npm start` runs the same with a console, and a watch page for each recording.',
    `(${execution.transitions} state transitions, ${execution.invocations} function calls.)`,
  ]
}

const formatsOf = (made: Saved['made']) =>
  Object.entries(made)
    .map(([format, bytes]) => `${format === 'hls' ? 'HLS in every size' : format} ${sizeOf(bytes)}`)
    .join(', ')

const sizeOf = (bytes: number) => (bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : inMegabytes(bytes))
