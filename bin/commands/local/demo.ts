import { existsSync } from 'node:fs'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { Command } from 'commander'
import { demoParticipants } from '../../../local/simulation/environment/participants.ts'
import { awsAccessOf } from '../../local/aws-access.ts'
import { type ExecutionFigures, figuresOf } from '../../local/execution-figures.ts'
import { interruptible } from '../../local/interruption.ts'
import { type Local, startLocal } from '../../local/local.ts'
import { root } from '../../local/root.ts'
import { makeWritable } from '../../local/writable-folder.ts'
import type { ShowSnapshot } from '../../shows/follow.ts'
import { followAndAdmit } from '../../shows/follow-and-admit.ts'
import { isSuccess, labelOf, type Outcome, outcomeOf } from '../../shows/outcome.ts'
import { inMegabytes, showSteps } from '../../shows/progress.ts'
import { type Saved, saveRecording } from '../../shows/save.ts'
import { createShowApi } from '../../shows/show-api.ts'

export const demoCommand = () =>
  new Command('demo')
    .description('run a 20-second show from end to end on this machine: record it, broadcast it, publish it')
    .option('--directory <dir>', 'where everything is kept; emptied first', join(root, '.showrunner/demo'))
    .option('--json', 'print the result as one JSON object, and nothing else, to standard output')
    .action(({ json = false, directory }: Options) =>
      interruptible(async (signal) => {
        const stream = json ? process.stderr : process.stdout
        const outcome = await runDemo({ directory: await prepare(directory), stream, signal })
        signal.throwIfAborted() // what it tells of would be gone
        if (json) process.stdout.write(`${JSON.stringify(outcome, null, 2)}\n`)
        else process.stdout.write(summarize(outcome))
        if (!isSuccess(outcome)) process.exitCode = 1
      }),
    )

interface Options {
  readonly directory: string
  readonly json?: boolean
}

/** Written into a demo's folder, so that no other folder is ever emptied. */
const MARK = '.showrunner-demo'

/** Empties the folder of an earlier demo. */
async function prepare(path: string): Promise<string> {
  const directory = resolve(path)
  const present: string[] = await readdir(directory).catch(() => [])
  if (present.length > 0 && !present.includes(MARK))
    throw new Error(`${directory} holds something that is not of the demo: choose an empty folder.`)
  if (present.length > 0) await rm(directory, { recursive: true, force: true })
  await makeWritable(directory)
  await writeFile(join(directory, MARK), '')
  return directory
}

interface Run {
  readonly directory: string
  readonly stream: NodeJS.WriteStream
  readonly signal: AbortSignal
}

/** Everything is started, run, saved and closed again here; an interruption leaves nothing behind. */
async function runDemo({ directory, stream, signal }: Run): Promise<DemoOutcome> {
  const startedAt = Date.now()
  const show = JSON.parse(await readFile(join(root, 'examples/webinar.json'), 'utf8'))
  let laptop: Local | undefined
  try {
    laptop = await startShown({ directory, stream, signal })
    signal.throwIfAborted()
    const access = { apiUrl: laptop.cloud.apiUrl, token: laptop.tokens.admin }
    const { showId } = await createShowApi(access).post(show)
    const sandboxUrl = laptop.sandbox.url
    const sight = await followAndAdmit({ access, sandboxUrl, showId, show, guests: demoParticipants, stream, signal })
    const outcome = await collect(laptop, sight, directory)
    return { ...outcome, seconds: Math.round((Date.now() - startedAt) / 100) / 10 }
  } finally {
    await laptop?.close()
    if (signal.aborted) {
      await rm(directory, { recursive: true, force: true })
      process.stderr.write('Interrupted: everything is stopped, and nothing of this show was kept.\n')
    }
  }
}

/** Starts the laptop as a step that is shown. One that is there is given back, even after an interruption, to be closed. */
async function startShown({ directory, stream, signal }: Run): Promise<Local> {
  let starting: Promise<Local> | undefined
  const run = async (tell: (words: string) => void) => {
    starting = startLocal({ directory, signal, onStep: tell })
    const { sandbox, cloud } = await starting
    return `Sandbox at ${sandbox.url}, cloud at ${cloud.awsUrl}`
  }
  await showSteps([{ title: 'Sandbox and cloud', run }], { stream, signal })
  return starting ?? Promise.reject(signal.reason) // no step is begun after an interruption
}

type DemoRecording = Outcome['recordings'][number] & {
  readonly file: string | null
  readonly manifest: string | null
  readonly made: Saved['made'] | null
}
type DemoBroadcast = Outcome['broadcasts'][number] & { readonly playlist: string | null }

/** The outcome with where everything lies on disk; `seconds` is wall time. */
interface DemoOutcome extends Outcome {
  readonly seconds: number
  readonly recordings: readonly DemoRecording[]
  readonly broadcasts: readonly DemoBroadcast[]
  readonly execution: ExecutionFigures
}

/** Saves what was published, and says where everything lies. */
async function collect(
  { cloud, tokens: { admin: token } }: Local,
  sight: ShowSnapshot,
  directory: string,
): Promise<Omit<DemoOutcome, 'seconds'>> {
  const outcome = outcomeOf(sight)
  const api = createShowApi({ apiUrl: cloud.apiUrl, token })
  const recordings = outcome.recordings.map(async (recording) => {
    const published = sight.published.find(({ archiveId }) => archiveId === recording.archiveId)
    const whole = published && (await api.recording(published.archiveId))
    const saved = whole && (await saveRecording(whole, join(directory, folderOf(recording))))
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

/** The first part has the recording's own name. */
const folderOf = ({ name, part }: DemoPart) => (part === 1 ? name : `${name}-${part}`)

type DemoPart = Pick<Outcome['recordings'][number], 'name' | 'part'>

/** The end of the demo as a person reads it. */
function summarize(outcome: DemoOutcome): string {
  const { recordings, broadcasts, status, reason, seconds, execution } = outcome
  const lines = [
    '',
    `The show ${status} after ${seconds} s. ${reason}`,
    '',
    ...recordings.flatMap(({ file, made, size, duration, problem, ...recording }) =>
      file
        ? [
            `  ${labelOf(recording).padEnd(10)} ${relative(process.cwd(), file)}  (${duration} s, ${inMegabytes(size ?? 0)})${problem ? `  ${problem}` : ''}`,
            `${' '.repeat(13)}${wordsOn(made ?? {})}`,
          ]
        : [`  ${labelOf(recording).padEnd(10)} no file: ${problem ?? 'it was not published'}`],
    ),
    ...broadcasts.map(
      ({ name, playlist }) => `  ${name.padEnd(10)} ${playlist ? relative(process.cwd(), playlist) : 'was not on air'}`,
    ),
    '',
    'Open the .mp4 files with any player; beside each lies what was made of it, and its manifest.',
    'The playlist plays in VLC or ffplay. `npm start` runs the same with a console, and a watch page for each recording.',
    `(${execution.transitions} state transitions, ${execution.invocations} function calls.)`,
    '',
  ]
  return lines.join('\n')
}

/** What was made of a recording, as far as anything was. */
const wordsOn = (made: NonNullable<DemoRecording['made']>) =>
  Object.entries(made)
    .map(([format, bytes]) => `${format === 'hls' ? 'HLS in every size' : format} ${inWords(bytes)}`)
    .join(', ')

const inWords = (bytes: number) => (bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : inMegabytes(bytes))
