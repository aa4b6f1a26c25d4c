import { fileURLToPath, pathToFileURL } from 'node:url'
import { buildSync } from 'esbuild'
import { realClock } from '../../lib/clock.ts'
import { createServices, type Services } from '../../lib/services.ts'
import { timed } from '../figures.ts'
import { type Subprocess, startSubprocess } from '../subprocess.ts'
import type { BucketOptions, BucketReady, Traffic } from './bucket-process.ts'
import type { FunctionOptions } from './function-process.ts'
import { memoryOfAll, peakOf, watchMemory } from './memory.ts'
import type { BenchRecording, WorkOptions } from './recording.ts'
import type { PublishWork } from './work-process.ts'

/** The disk of the directory needs 12 GB. */
export interface HarnessOptions extends WorkOptions {
  readonly folderOf: (task: string) => string
  readonly nodeOptions: string
  readonly signal: AbortSignal
}

/** The cost of a work. */
export interface WorkFigures extends Omit<Traffic, 'sent' | 'received'> {
  readonly seconds: number
  /** Bytes that the bucket sent and received. */
  readonly read: number
  readonly written: number
  /** Peak bytes of memory, including all child processes. */
  readonly memory: number
}

export interface MeasuredWork<Result = unknown> extends WorkFigures {
  readonly result: Result
}

/** A program that answers one question, with the seconds it took. */
type Program = Subprocess<unknown>
interface Answer {
  readonly result: unknown
  readonly seconds: number
}

export type PublishHarness = Awaited<ReturnType<typeof openPublishHarness>>

/** Invokes one of the started functions, by its index. */
type Invoke = <Result>(index: number, event: object) => Promise<Result>

const BUCKET = 'showrunner-bench'
const REGION = 'us-east-1'
const CREDENTIALS = { accessKeyId: 'AKBENCH', secretAccessKey: 'of-this-machine-only' }

/** Starts the bucket in a separate process. Each work and each function runs in a fresh one. */
export async function openPublishHarness(options: HarnessOptions) {
  const { ffmpegPath, ffprobePath, directory, folderOf, nodeOptions, signal } = options
  const functionProgram = bundle(program('function'), directory)
  const bucketOptions: BucketOptions = { directory: `${directory}/bucket`, bucket: BUCKET, ...CREDENTIALS }
  const start = <Ready>(file: URL, how: unknown, variables: Readonly<Record<string, string>> = {}) =>
    startSubprocess<Ready>(file, how, signal, variables)
  const bucket = await start<BucketReady>(program('bucket'), bucketOptions, { NODE_OPTIONS: nodeOptions })
  const environment = {
    BUCKET,
    AWS_REGION: REGION,
    AWS_ENDPOINT_URL: bucket.ready.url,
    AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
    FFMPEG_PATH: ffmpegPath,
    POWERTOOLS_SERVICE_NAME: 'bench',
  }
  const surroundings = { ffmpegPath, ffprobePath, directory }

  const startWork = () => start(program('work'), surroundings satisfies WorkOptions, environment)
  const startFunction = (task: string) => {
    const given: FunctionOptions = { folder: folderOf(task) }
    return start(functionProgram, given, { ...environment, NODE_OPTIONS: nodeOptions })
  }

  async function measured<Result>(starting: Promise<Program>, question: object) {
    await using program = await starting
    const idle = memoryOfAll(program.pid)
    await bucket.ask<Traffic>({})
    const watch = watchMemory(program.pid)
    const { result, seconds } = await program.ask<Answer>(question)
    const memory = Math.max(watch.stop(), peakOf(program.pid))
    return { ...toFigures(await bucket.ask<Traffic>({})), result: result as Result, seconds, memory, idle }
  }

  return {
    ...surroundings,
    storage: storageAt(bucket.ready.url),
    work: <Result>(work: PublishWork, recording: BenchRecording): Promise<MeasuredWork<Result>> =>
      measured(startWork(), { work, recording }),
    /** Runs a work by ffmpeg. The memory excludes the process that starts ffmpeg. */
    async workByFfmpeg(work: PublishWork, recording: BenchRecording): Promise<WorkFigures> {
      const { idle, memory, ...figures } = await measured(startWork(), { work, recording })
      return { ...figures, memory: memory - idle }
    },
    invoke: <Result>(task: string, event: object): Promise<MeasuredWork<Result>> =>
      measured(startFunction(task), { event }),
    /** Starts functions, and measures `act`. */
    async together(tasks: readonly string[], act: (invoke: Invoke) => Promise<void>): Promise<WorkFigures> {
      await using started = new AsyncDisposableStack()
      const programs = (await Promise.all(tasks.map(startFunction))).map((program) => started.use(program))
      await bucket.ask<Traffic>({})
      const watches = programs.map(({ pid }) => watchMemory(pid))
      const invoke: Invoke = async <Result>(index: number, event: object) =>
        (await (programs[index] as Program).ask<Answer>({ event })).result as Result
      const { seconds } = await timed(() => act(invoke))
      const memory = watches.reduce((sum, watch) => sum + watch.stop(), 0)
      return { ...toFigures(await bucket.ask<Traffic>({})), seconds, memory }
    },
    [Symbol.asyncDispose]: () => bucket[Symbol.asyncDispose](),
  }
}

const program = (name: 'bucket' | 'work' | 'function') => new URL(`./${name}-process.ts`, import.meta.url)

/** Bundles a file. Node would otherwise keep 20 MB in memory to strip its types, which no function has. */
function bundle(file: URL, directory: string): URL {
  const outfile = `${directory}/function-process.mjs`
  buildSync({ entryPoints: [fileURLToPath(file)], outfile, bundle: true, platform: 'node', format: 'esm' })
  return pathToFileURL(outfile)
}

function storageAt(endpoint: string): Services['storage'] {
  const aws = { endpoint, region: REGION, credentials: CREDENTIALS }
  return createServices({ BUCKET }, { clock: realClock, random: Math.random, fetch: globalThis.fetch, aws }).storage
}

const toFigures = ({ sent, received, ...rest }: Traffic) => ({ ...rest, read: sent, written: received })
