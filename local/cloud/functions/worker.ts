import { pathToFileURL } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import { getAhead, setAhead } from '../../../lib/clock.ts'
import type { InvocationContext } from './function.ts'

/**
 * Data of a worker: the inside of an execution environment, which loads a function’s code once and then handles one
 * event at a time.
 */
export interface WorkerData {
  readonly module: string
  readonly handler: string
}

export interface InvocationMessage {
  /** JSON. */
  readonly event: string
  readonly context: InvocationContext
  /** Milliseconds that the invocation may take. */
  readonly milliseconds: number
  /** Milliseconds by which the caller's time is ahead of the machine's. Functions have the same time. */
  readonly ahead: number
}

/** An error as Lambda reports it. `ended` is true if it ended the environment. */
export interface InvocationFailure {
  readonly error: { readonly name: string; readonly message: string }
  readonly ended?: true
}

/** The outcome of an event. A result is JSON. */
export type InvocationOutcome = { readonly result: string } | InvocationFailure

/** A message of the worker: for each event first that it is taken, then its outcome. */
export type WorkerMessage = 'taken' | InvocationOutcome

type Handler = (event: unknown, context: object) => Promise<unknown>

const port = parentPort
if (!port) throw new Error('This module can only run in a worker.')
delete process.env.NODE_COMPILE_CACHE // Node has read it at the start of this thread; Lambda has none
const { module, handler } = workerData as WorkerData
const loading = load()
loading.catch(() => {}) // reported with the first event

port.on('message', async ({ event, context, milliseconds, ahead }: InvocationMessage) => {
  port.postMessage('taken' satisfies WorkerMessage)
  if (ahead !== getAhead()) setAhead(ahead)
  const deadline = performance.now() + milliseconds
  const run = await loading.catch((error: unknown) => end(toFailure(error), 1))
  const getRemainingTimeInMillis = () => Math.max(0, Math.round(deadline - performance.now()))
  port.postMessage(await outcomeOf(() => run(JSON.parse(event), { ...context, getRemainingTimeInMillis })))
})

// Work that a function left behind may fail between events. That ends the environment, as on Lambda.
process.on('uncaughtException', (error) => end(toFailure(error), 129))
process.on('unhandledRejection', (reason) => {
  const { error } = toFailure(reason)
  end({ error: { name: 'Runtime.UnhandledPromiseRejection', message: `${error.name}: ${error.message}` } }, 128)
})

async function load(): Promise<Handler> {
  const run = ((await import(pathToFileURL(module).href)) as Record<string, unknown>)[handler]
  if (typeof run === 'function') return run as Handler
  const error = new Error(`${handler} is ${run === undefined ? 'undefined or not exported' : 'not a function'}`)
  throw Object.assign(error, { name: 'Runtime.HandlerNotFound' })
}

async function outcomeOf(act: () => Promise<unknown>): Promise<InvocationOutcome> {
  try {
    return { result: toJson((await act()) ?? null) }
  } catch (thrown) {
    return toFailure(thrown)
  }
}

function toJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch {
    const error = new Error('Unable to stringify response body')
    throw Object.assign(error, { name: 'Runtime.JSONStringifyError' })
  }
}

/** Describes a thrown value as Lambda does: the name of an error, the type of any other value. It is logged as well. */
function toFailure(thrown: unknown): InvocationFailure {
  console.error(thrown)
  const error =
    thrown instanceof Error
      ? { name: thrown.name, message: thrown.message }
      : { name: typeof thrown, message: String(thrown) }
  return { error }
}

function end({ error }: InvocationFailure, code: number): never {
  port?.postMessage({ error, ended: true } satisfies WorkerMessage)
  process.exit(code)
}
