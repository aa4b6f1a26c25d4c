import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import {
  FunctionError,
  type FunctionSpec,
  type InvocationContext,
  type Invoke,
  MOST_PAYLOAD_BYTES,
} from './function.ts'
import type { InvocationMessage, OutcomeMessage, WorkerData } from './worker.ts'

export interface WorkerPoolOptions {
  /** Environment variables that Lambda itself sets. */
  readonly environment: Readonly<Record<string, string>>
  /** What a function writes to its log. */
  readonly log: (functionName: string, text: string) => void
}

/** Runs bundles as Lambda does: an environment for each function and each invocation at the same time, kept for the next. */
export interface WorkerPool {
  readonly invoke: Invoke
  /** Ends every worker, and with it what it does. */
  close(): Promise<void>
}

export function createWorkerPool(options: WorkerPoolOptions): WorkerPool {
  const idle = new Map<string, Worker[]>()
  const all = new Set<Worker>()
  let closed = false

  const start = (spec: FunctionSpec): Worker => {
    const [file = '', handler = ''] = spec.handler.split('.')
    const module = ['.mjs', '.js'].map((ending) => join(spec.folder, file + ending)).find(existsSync)
    if (!module) throw new FunctionError('Runtime.ImportModuleError', `${spec.name} has no module ${file}.`)
    const workerData: WorkerData = { module, handler }
    const env = { ...options.environment, AWS_LAMBDA_FUNCTION_NAME: spec.name, ...spec.environment }
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData, env, stdout: true, stderr: true })
    worker.stdout.setEncoding('utf8').on('data', (text) => options.log(spec.name, text))
    worker.stderr.setEncoding('utf8').on('data', (text) => options.log(spec.name, text))
    worker.on('error', () => {}) // told to the invocation under way, see run
    worker.once('exit', () => all.delete(worker))
    all.add(worker)
    return worker
  }

  const invoke: Invoke = async (spec, event, context) => {
    if (closed) throw new FunctionError('ServiceUnavailable', 'The cloud is shutting down.')
    const worker = idle.get(spec.arn)?.pop() ?? start(spec)
    const result = await run(worker, spec, event, context)
    if (!idle.has(spec.arn)) idle.set(spec.arn, [])
    idle.get(spec.arn)?.push(worker) // not after a failure to answer: that environment is gone
    if ('error' in result) throw new FunctionError(result.error.name, result.error.message)
    return JSON.parse(result.result)
  }

  return {
    invoke,
    async close() {
      closed = true
      await Promise.all([...all].map((worker) => worker.terminate()))
    },
  }
}

/** One invocation; rejects when it outlives the function's timeout or ends its environment. */
function run(
  worker: Worker,
  spec: FunctionSpec,
  payload: unknown,
  context: InvocationContext,
): Promise<OutcomeMessage> {
  const event = JSON.stringify(payload ?? null)
  if (Buffer.byteLength(event) > MOST_PAYLOAD_BYTES)
    throw new FunctionError('RequestTooLargeException', `The event for ${spec.name} is larger than 6 MB.`)
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      settle()
      void worker.terminate()
      const words = `${context.awsRequestId} Task timed out after ${spec.timeout.toFixed(2)} seconds`
      reject(new FunctionError('Sandbox.Timedout', words))
    }, spec.timeout * 1000)
    const onMessage = (outcome: OutcomeMessage) => {
      settle()
      if ('result' in outcome && Buffer.byteLength(outcome.result) > MOST_PAYLOAD_BYTES)
        return resolve(tooLarge(spec.name))
      resolve(outcome)
    }
    const onError = (error: Error) => {
      settle()
      reject(new FunctionError('Runtime.ExitError', `${spec.name} crashed: ${error.message}`))
    }
    const onExit = () => onError(new Error('its process ended'))
    const settle = () => {
      clearTimeout(timer)
      worker.off('message', onMessage).off('error', onError).off('exit', onExit)
    }
    worker.on('message', onMessage).on('error', onError).on('exit', onExit)
    worker.postMessage({ event, context, deadline: Date.now() + spec.timeout * 1000 } satisfies InvocationMessage)
  })
}

const tooLarge = (name: string): OutcomeMessage => ({
  error: {
    name: 'Function.ResponseSizeTooLarge',
    message: `The result of ${name} is larger than 6 MB.`,
  },
})
