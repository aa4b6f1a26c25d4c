import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { Command } from 'commander'
import { realClock } from '../../lib/clock.ts'
import { createAudience, type Guest } from '../laptop/audience.ts'
import { type ExecutionFigures, figuresOf } from '../laptop/execution-figures.ts'
import { follow, type Sight } from '../laptop/follow.ts'
import { interruptible } from '../laptop/interruption.ts'
import { type Laptop, makeWritable, startLaptop } from '../laptop/laptop.ts'
import { inMegabytes, showProgress } from '../laptop/progress.ts'
import { root } from '../laptop/root.ts'
import { saveRecording } from '../laptop/save.ts'
import { createShowApi } from '../laptop/show-api.ts'
import { createSights, type Sights } from '../laptop/sights.ts'
import { visit } from '../laptop/visit.ts'

/** Two are there before the recordings start, one comes later, one leaves early: the picture changes. */
export const demoGuests: readonly Guest[] = [
  { name: 'Ada' },
  { name: 'Grace', leavesAt: 14 },
  { name: 'Linus', joinsAt: 6 },
]

/** Seconds for publishing to be done after the show has ended. */
const PUBLISH_WAIT = 60

export const demoCommand = () =>
  new Command('demo')
    .description('run a 20-second show from end to end on this machine: record it, broadcast it, publish it')
    .option('--directory <dir>', 'where everything is kept; emptied first', join(root, '.showrunner/demo'))
    .option('--json', 'print the result as one JSON object, and nothing else, to standard output')
    .action(({ json = false, directory }: Options) =>
      interruptible(async (signal) => {
        const stream = json ? process.stderr : process.stdout
        const outcome = await runDemo({ directory: await prepare(directory), stream, signal })
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
async function runDemo({ directory, stream, signal }: Run): Promise<Outcome> {
  const startedAt = Date.now()
  const show = JSON.parse(await readFile(join(root, 'examples/webinar.json'), 'utf8'))
  const sights = createSights()
  const namesOf = (resources: { name: string }[]) => resources.map(({ name }) => name)
  const lists = { recordings: namesOf(show.recordings), broadcasts: namesOf(show.broadcasts) }

  let laptop: Laptop | undefined
  const starting = Promise.withResolvers<Laptop>()
  const start = async (tell: (words: string) => void) => {
    laptop = await startLaptop({ directory, signal, onStep: tell })
    starting.resolve(laptop)
    return `Sandbox at ${laptop.sandbox.url}, cloud at ${laptop.cloud.awsUrl}`
  }
  const guarded = (tell: (words: string) => void) =>
    start(tell).catch((error) => {
      starting.reject(error)
      throw error
    })
  const shown = showProgress(lists, { sights, stream, signal }, [{ title: 'Sandbox and cloud', run: guarded }])
  try {
    const running = await starting.promise
    const sight = await playShow(running, show, sights, signal)
    sights.end()
    await shown
    return await collect(running, sight, { directory, seconds: (Date.now() - startedAt) / 1000 })
  } catch (error) {
    sights.end(error)
    await shown
    throw error
  } finally {
    await laptop?.close()
    if (signal.aborted) {
      await rm(directory, { recursive: true, force: true })
      process.stderr.write('Interrupted: everything is stopped, and nothing of this show was kept.\n')
    }
  }
}

/** Posts the show, brings its guests and follows it to its end. */
async function playShow(
  { sandbox, cloud, token }: Laptop,
  show: unknown,
  sights: Sights,
  signal: AbortSignal,
): Promise<Sight> {
  const api = createShowApi({ apiUrl: cloud.apiUrl, token })
  const { showId } = await api.post(show)
  const over = new AbortController()
  const whileOn = AbortSignal.any([signal, over.signal])
  const audience = createAudience({ sandboxUrl: sandbox.url, guests: demoGuests, clock: realClock, signal: whileOn })

  const visiting = visit(sights, audience).catch((error) => {
    if (!over.signal.aborted) throw error // once the show is over, nobody needs to come or go any more
  })
  const following = follow({ api, showId, clock: realClock, signal, onSight: sights.push, publishWait: PUBLISH_WAIT })
  const followed = following.then(
    () => sights.end(),
    (error) => sights.end(error),
  )
  void followed.then(() => over.abort())
  const [sight] = await Promise.all([following, visiting])
  return sight
}

interface Outcome {
  showId: string
  status: string
  reason: string
  sessionId: string | undefined
  /** Wall time. */
  seconds: number
  recordings: {
    name: string
    tag: string
    archiveId: string | undefined
    status: string | undefined
    key: string | undefined
    size: number | undefined
    duration: number | undefined
    file: string | null
    manifest: string | null
    published: string | null
    problem?: string
  }[]
  broadcasts: { name: string; broadcastId: string | undefined; status: string | undefined; playlist: string | null }[]
  execution: ExecutionFigures
}

/** Saves what was published, and says where everything lies. */
async function collect(
  { cloud }: Laptop,
  { show, published }: Sight,
  { directory, seconds }: { directory: string; seconds: number },
): Promise<Outcome> {
  const { result } = show
  const executionArn = `${cloud.cloud.outputs.ShowMachineArn?.replace(':stateMachine:', ':execution:')}:${show.showId}`
  const recordings = await Promise.all(
    (result?.recordings ?? []).map(async ({ name, tag, archiveId, status, key, size, duration, lost }) => {
      const recording = published.find((one) => one.archiveId === archiveId)
      const saved = recording && (await saveRecording(recording, join(directory, name)))
      const problem = lost ?? (recording?.status === 'failed' ? recording.message : undefined)
      return {
        ...{ name, tag, archiveId, status, key, size, duration },
        file: saved?.file ?? null,
        manifest: saved?.manifest ?? null,
        published: recording?.status ?? null,
        ...(problem && { problem }),
      }
    }),
  )
  return {
    showId: show.showId,
    status: show.status,
    reason: result?.reason ?? '',
    sessionId: show.sessionId,
    seconds: Math.round(seconds * 10) / 10,
    recordings,
    broadcasts: (result?.broadcasts ?? []).map(({ name, broadcastId, status }) => ({
      ...{ name, broadcastId, status },
      playlist: broadcastId ? join(directory, 'sandbox/media', broadcastId, 'index.m3u8') : null,
    })),
    execution: await figuresOf(executionArn, {
      endpoint: cloud.awsUrl,
      region: cloud.environment.AWS_REGION ?? '',
      credentials: cloud.cloud.credentials,
    }),
  }
}

const isSuccess = ({ status, recordings, broadcasts }: Outcome) =>
  status === 'succeeded' &&
  recordings.every(({ published }) => published === 'complete') &&
  broadcasts.every(({ playlist }) => playlist !== null)

/** The end of the demo as a person reads it. */
function summarize(outcome: Outcome): string {
  const { recordings, broadcasts, status, reason, seconds, execution } = outcome
  const lines = [
    '',
    `The show ${status} after ${seconds} s. ${reason}`,
    '',
    ...recordings.map(({ name, file, size, duration, problem }) =>
      file
        ? `  ${name.padEnd(10)} ${relative(process.cwd(), file)}  (${duration} s, ${inMegabytes(size ?? 0)})${problem ? `  ${problem}` : ''}`
        : `  ${name.padEnd(10)} no file: ${problem ?? 'it was not published'}`,
    ),
    ...broadcasts.map(
      ({ name, playlist }) => `  ${name.padEnd(10)} ${playlist ? relative(process.cwd(), playlist) : 'was not on air'}`,
    ),
    '',
    'Open the .mp4 files with any player; beside each lie its poster and its manifest.',
    'The playlist plays in VLC or ffplay. With `npm start` you get all of it in a browser.',
    `(${execution.transitions} state transitions, ${execution.invocations} function calls.)`,
    '',
  ]
  return lines.join('\n')
}
