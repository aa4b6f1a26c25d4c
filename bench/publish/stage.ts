import { fileURLToPath, pathToFileURL } from 'node:url'
import { buildSync } from 'esbuild'
import { realClock } from '../../lib/clock.ts'
import { createServices, type Services } from '../../lib/services.ts'
import { type Subprocess, startSubprocess } from '../subprocess.ts'
import type { BucketOptions, BucketReady, Traffic } from './bucket-process.ts'
import type { FunctionOptions } from './function-process.ts'
import { memoryOfAll, peakOf, watchMemory } from './memory.ts'
import type { Recording, Surroundings } from './recording.ts'
import type { Work, WorkOptions } from './work-process.ts'

export interface StageOptions {
  readonly ffmpegPath: string
  readonly ffprobePath: string
  /** For everything, on a disk with room for it. */
  readonly directory: string
  /** Folder of a task's bundle. */
  readonly folderOf: (task: string) => string
  /** With which functions run. */
  readonly nodeOptions: string
  readonly signal: AbortSignal
}

/** What something has cost. */
export interface Figures extends Omit<Traffic, 'sent' | 'received'> {
  readonly seconds: number
  /** Bytes that the bucket has sent and received. */
  readonly read: number
  readonly written: number
  /** Bytes at the peak, with all programs that were started. */
  readonly memory: number
}

export interface Measured<Result = unknown> extends Figures {
  readonly result: Result
}

/** A program that answers one question, with what it took. */
type Program = Subprocess<unknown>
type Answer = { readonly result: unknown; readonly seconds: number } | { readonly failure: string }

/** The bucket in a process of its own; each work and each function is done in a fresh one. */
export interface Stage extends Surroundings {
  work<Result>(work: Work, recording: Recording): Promise<Measured<Result>>
  /** Memory without that of the process which starts ffmpeg, before it does. */
  workByFfmpeg(work: Work, recording: Recording): Promise<Figures>
  invoke<Result>(task: string, event: object): Promise<Measured<Result>>
  /** Starts functions, and takes the time from then on until `act` is done. */
  together(tasks: readonly string[], act: (invoke: Invoke) => Promise<void>): Promise<Figures>
  close(): Promise<void>
}

/** Of one of the functions that were started, by its place among them. */
export type Invoke = <Result>(index: number, event: object) => Promise<Result>

const BUCKET = 'showrunner-bench'
const REGION = 'us-east-1'
const CREDENTIALS = { accessKeyId: 'AKBENCH', secretAccessKey: 'of-this-machine-only' }

export async function openStage(options: StageOptions): Promise<Stage> {
  const { ffmpegPath, ffprobePath, directory, folderOf, nodeOptions, signal } = options
  const functionProgram = withoutTypes(program('function'), directory)
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

  async function measured<Result>(program: Program, question: object): Promise<Measured<Result> & { idle: number }> {
    try {
      const idle = memoryOfAll(program.pid)
      await bucket.ask<Traffic>({})
      const memory = watchMemory(program.pid)
      const answer = resultOf(await program.ask<Answer>(question))
      const peak = Math.max(memory.stop(), peakOf(program.pid))
      return {
        ...toFigures(await bucket.ask<Traffic>({})),
        ...answer,
        result: answer.result as Result,
        memory: peak,
        idle,
      }
    } finally {
      await program.close()
    }
  }

  return {
    ...surroundings,
    storage: storageAt(bucket.ready.url),
    work: async (work, recording) => measured(await startWork(), { work, recording }),
    async workByFfmpeg(work, recording) {
      const { idle, memory, ...figures } = await measured(await startWork(), { work, recording })
      return { ...figures, memory: memory - idle }
    },
    invoke: async (task, event) => measured(await startFunction(task), { event }),
    async together(tasks, act) {
      const programs = await Promise.all(tasks.map(startFunction))
      try {
        await bucket.ask<Traffic>({})
        const watches = programs.map(({ pid }) => watchMemory(pid))
        const since = performance.now()
        await act(async <Result>(index: number, event: object) => {
          const answer = await (programs[index] as Program).ask<Answer>({ event })
          return resultOf(answer).result as Result
        })
        const seconds = (performance.now() - since) / 1000
        const memory = watches.reduce((sum, watch) => sum + watch.stop(), 0)
        return { ...toFigures(await bucket.ask<Traffic>({})), seconds, memory }
      } finally {
        await Promise.all(programs.map((program) => program.close()))
      }
    },
    close: () => bucket.close(),
  }
}

const program = (name: 'bucket' | 'work' | 'function') => new URL(`./${name}-process.ts`, import.meta.url)

/** Beforehand: Node keeps what it needs to do so in the memory of the process, 20 MB that no function has. */
function withoutTypes(file: URL, directory: string): URL {
  const outfile = `${directory}/function-process.mjs`
  buildSync({ entryPoints: [fileURLToPath(file)], outfile, bundle: true, platform: 'node', format: 'esm' })
  return pathToFileURL(outfile)
}

function storageAt(endpoint: string): Services['storage'] {
  const aws = { endpoint, region: REGION, credentials: CREDENTIALS }
  return createServices({ BUCKET }, { clock: realClock, random: Math.random, fetch: globalThis.fetch, aws }).storage
}

function resultOf(answer: Answer) {
  if ('failure' in answer) throw new Error(`A work of the bench failed: ${answer.failure}`)
  return answer
}

const toFigures = ({ sent, received, ...rest }: Traffic) => ({ ...rest, read: sent, written: received })
