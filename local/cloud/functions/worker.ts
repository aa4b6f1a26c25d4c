import { pathToFileURL } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import type { InvocationContext } from './function.ts'

/** One execution environment of a function: loads its code once, then handles one event at a time. */
export interface WorkerData {
  /** The module that exports the handler. */
  readonly module: string
  readonly handler: string
}

/** To the worker: an event as JSON, and the time (ms since the epoch) at which the invocation times out. */
export interface InvocationMessage {
  readonly event: string
  readonly context: InvocationContext
  readonly deadline: number
}

/** From the worker: the handler's result as JSON, or its error. */
export type OutcomeMessage =
  | { readonly result: string }
  | { readonly error: { readonly name: string; readonly message: string } }

type Handler = (event: unknown, context: object) => Promise<unknown>

const { module, handler } = workerData as WorkerData
const loading = import(pathToFileURL(module).href) as Promise<Record<string, Handler>>
loading.catch(() => {}) // told when the first event comes

parentPort?.on('message', async ({ event, context, deadline }: InvocationMessage) => {
  parentPort?.postMessage(await handle(event, context, deadline))
})

async function handle(event: string, context: InvocationContext, deadline: number): Promise<OutcomeMessage> {
  try {
    const run = (await loading)[handler]
    if (!run) throw new Error(`The bundle exports no ${handler}.`)
    const getRemainingTimeInMillis = () => deadline - Date.now()
    return { result: JSON.stringify((await run(JSON.parse(event), { ...context, getRemainingTimeInMillis })) ?? null) }
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown))
    console.error(error) // what Lambda would write to the function's log
    return { error: { name: error.name, message: error.message } }
  }
}
