import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import { realClock } from '../../lib/clock.ts'
import { createAudience, type Guest, guestNames } from '../laptop/audience.ts'
import { follow, type Sight } from '../laptop/follow.ts'
import { interruptible } from '../laptop/interruption.ts'
import { findRunningLaptop, localFileOf, type RunningLaptop } from '../laptop/local-file.ts'
import { inMegabytes, showProgress } from '../laptop/progress.ts'
import { createShowApi } from '../laptop/show-api.ts'
import { createSights } from '../laptop/sights.ts'
import { visit } from '../laptop/visit.ts'
import { stateDirectory } from './start.ts'

interface Options {
  readonly participants: number
  readonly directory: string
  readonly json?: boolean
}

/** Seconds for publishing to be done after the show has ended. */
const PUBLISH_WAIT = 60
const MOST_PARTICIPANTS = 50

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
  const show = await readShow(file)
  const laptop = await findRunningLaptop(localFileOf(resolve(directory)))
  const { showId } = await createShowApi(laptop).post(show)
  const stream = json ? process.stderr : process.stdout
  try {
    const outcome = outcomeOf(await accompany({ laptop, show, showId, participants, stream, signal }))
    process.stdout.write(json ? `${JSON.stringify(outcome, null, 2)}\n` : summarize(outcome, laptop))
    if (!isSuccess(outcome)) process.exitCode = 1
  } catch (error) {
    if (signal.aborted)
      stream.write(`No longer following; show ${showId} goes on. The console shows it: ${laptop.consoleUrl}\n`)
    throw error
  }
}

/** The names by which the progress is shown; everything else about the document is the API's to judge. */
interface ShowFile {
  readonly recordings: readonly { name: string }[]
  readonly broadcasts?: readonly { name: string }[]
}

async function readShow(file: string): Promise<ShowFile> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (cause) {
    const why = (cause as NodeJS.ErrnoException).code === 'ENOENT' ? 'it does not exist' : (cause as Error).message
    throw new Error(`${file} cannot be read: ${why}.`, { cause })
  }
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Error(`${file} is not JSON: ${(cause as Error).message}`, { cause })
  }
}

interface Company {
  readonly laptop: RunningLaptop
  readonly show: ShowFile
  readonly showId: string
  readonly participants: number
  readonly stream: NodeJS.WriteStream
  readonly signal: AbortSignal
}

/** Brings the guests, shows the progress, and takes the guests out again however it ends. */
async function accompany({ laptop, show, showId, participants, stream, signal }: Company): Promise<Sight> {
  const sights = createSights()
  const over = new AbortController()
  const whileOn = AbortSignal.any([signal, over.signal])
  const { sandboxUrl } = laptop
  const audience = createAudience({ sandboxUrl, guests: guestsFor(participants), clock: realClock, signal: whileOn })
  const visiting = visit(sights, audience)
  const following = follow({
    api: createShowApi(laptop),
    showId,
    clock: realClock,
    signal: whileOn,
    onSight: sights.push,
    publishWait: PUBLISH_WAIT,
  })
  const namesOf = (resources: readonly { name: string }[] = []) => resources.map(({ name }) => name)
  const lists = { recordings: namesOf(show.recordings), broadcasts: namesOf(show.broadcasts) }
  const shown = showProgress(lists, { sights, stream, signal })
  try {
    const sight = await Promise.race([following, visiting.then(() => following)])
    sights.end()
    return sight
  } catch (error) {
    sights.end(error)
    throw error
  } finally {
    over.abort()
    await Promise.allSettled([shown, following, visiting])
    await audience.leave()
  }
}

/** They are there from the beginning to the end. */
export const guestsFor = (count: number): readonly Guest[] =>
  Array.from({ length: count }, (_, index) => {
    const round = Math.floor(index / guestNames.length)
    const name = guestNames[index % guestNames.length] as string
    return { name: round === 0 ? name : `${name} ${round + 1}` }
  })

interface Outcome {
  showId: string
  status: string
  reason: string
  sessionId: string | undefined
  recordings: {
    name: string
    tag: string
    archiveId: string | undefined
    status: string | undefined
    key: string | undefined
    size: number | undefined
    duration: number | undefined
    published: string | null
    problem?: string
  }[]
  broadcasts: { name: string; broadcastId: string | undefined; status: string | undefined; hls: string | undefined }[]
}

function outcomeOf({ show, published }: Sight): Outcome {
  const { showId, status, sessionId, result } = show
  return {
    showId,
    status,
    reason: result?.reason ?? '',
    sessionId,
    recordings: (result?.recordings ?? []).map(({ name, tag, archiveId, status, key, size, duration, lost }) => {
      const recording = published.find((one) => one.archiveId === archiveId)
      const problem = lost ?? recording?.message
      const state = recording?.status ?? null
      return { name, tag, archiveId, status, key, size, duration, published: state, ...(problem && { problem }) }
    }),
    broadcasts: (result?.broadcasts ?? []).map(({ name, broadcastId, status, hls }) => ({
      name,
      broadcastId,
      status,
      hls,
    })),
  }
}

const isSuccess = ({ status, recordings }: Outcome) =>
  status === 'succeeded' && recordings.every(({ published }) => published === 'complete')

function summarize({ showId, status, reason, recordings, broadcasts }: Outcome, { consoleUrl }: RunningLaptop): string {
  const lines = [
    '',
    `Show ${showId} ${status}. ${reason}`,
    '',
    ...recordings.map(({ name, duration, size, published, problem }) => {
      const facts =
        size === undefined ? 'no file' : `${duration} s, ${inMegabytes(size)}, ${published ?? 'not published'}`
      return `  ${name.padEnd(12)} ${facts}${problem ? `: ${problem}` : ''}`
    }),
    ...broadcasts.map(({ name, hls }) => `  ${name.padEnd(12)} ${hls ?? 'was not on air'}`),
    '',
    `Watch it in the console: ${consoleUrl}`,
    '',
  ]
  return lines.join('\n')
}

function parseCount(text: string): number {
  const count = Number(text)
  if (!/^\d+$/.test(text) || count > MOST_PARTICIPANTS)
    throw new InvalidArgumentError(`It must be a whole number from 0 to ${MOST_PARTICIPANTS}.`)
  return count
}
