import type { EventEmitter } from 'node:events'
import { existsSync } from 'node:fs'
import module from 'node:module'
import { dirname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { FunctionSpec } from './function.ts'
import type { InvocationFailure, InvocationMessage, InvocationOutcome, WorkerData, WorkerMessage } from './worker.ts'

/** A thread with its own memory and variables that has loaded one function, as Lambda’s execution environment. */
export interface ExecutionEnvironment {
  /** Handles one event at a time. Resolves to undefined if the environment had ended before. */
  handle(message: InvocationMessage): Promise<InvocationOutcome | undefined>
  /** Ends the thread with all its work. */
  end(): Promise<unknown>
}

export interface ExecutionEnvironmentOptions {
  readonly spec: FunctionSpec
  /** All environment variables. None of this process is inherited. */
  readonly variables: Readonly<Record<string, string>>
  /** Receives the function’s output. */
  readonly log: (text: string) => void
  /** Called once the thread has ended and its output is read. */
  readonly onEnd: () => void
}

export function startExecutionEnvironment(options: ExecutionEnvironmentOptions): ExecutionEnvironment {
  const { spec, variables, log, onEnd } = options
  // The heap may grow to the function’s memory. Buffers, outside the heap, are not counted.
  const resourceLimits = { maxOldGenerationSizeMb: spec.memory }
  const workerData = locate(spec)
  const cache = compileCache()
  const env = cache === undefined ? variables : { NODE_COMPILE_CACHE: cache, ...variables } // the thread removes it
  const file = new URL('./worker.ts', import.meta.url)
  const worker = new Worker(file, { workerData, env, resourceLimits, stdout: true, stderr: true })
  worker.stdout.setEncoding('utf8').on('data', log)
  worker.stderr.setEncoding('utf8').on('data', log)

  let hasEnded = false
  let fault: NodeJS.ErrnoException | undefined
  worker.on('error', (error) => {
    fault = error
  })
  worker.once('exit', () => {
    hasEnded = true
  })
  const outputs = [worker.stdout, worker.stderr].map((output) => next(output, 'end'))
  void Promise.all([next(worker, 'exit'), ...outputs]).then(onEnd)

  return {
    handle: (message) =>
      new Promise<InvocationOutcome | undefined>((resolve) => {
        if (hasEnded) return resolve(undefined)
        let isTaken = false
        const settle = (outcome: InvocationOutcome | undefined) => {
          worker.off('message', onMessage).off('exit', onExit)
          resolve(outcome)
        }
        const onMessage = (said: WorkerMessage) => {
          if (said === 'taken') isTaken = true
          else if (isTaken) settle(said) // otherwise it concerns an earlier event, and the exit follows
        }
        const onExit = (code: number) => settle(isTaken ? exited(message, reasonOf(code, fault)) : undefined)
        worker.on('message', onMessage).on('exit', onExit)
        worker.postMessage(message)
      }),
    end: () => worker.terminate(),
  }
}

const next = (emitter: EventEmitter, event: string) => new Promise((resolve) => emitter.once(event, resolve))

/** Returns Lambda’s error for an environment that ended during an event. */
export const exited = ({ context }: Pick<InvocationMessage, 'context'>, reason: string): InvocationFailure => ({
  error: { name: 'Runtime.ExitError', message: `RequestId: ${context.awsRequestId} Error: ${reason}` },
  ended: true,
})

function reasonOf(code: number, fault: NodeJS.ErrnoException | undefined): string {
  if (fault?.code === 'ERR_WORKER_OUT_OF_MEMORY') return 'Runtime exited with error: signal: killed'
  return code === 0 ? 'Runtime exited without providing a reason' : `Runtime exited with error: exit status ${code}`
}

/** Returns the folder of compiled code of this process. Node names a folder in it after its version. */
function compileCache(): string | undefined {
  const folder = module.getCompileCacheDir?.()
  return folder && dirname(folder)
}

/** Locates a function’s module. A missing module fails the invocation like one that cannot be loaded. */
function locate({ folder, handler }: FunctionSpec): WorkerData {
  const dot = handler.lastIndexOf('.')
  const path = join(folder, handler.slice(0, dot))
  const ending = ['.js', '.mjs', '.cjs'].find((one) => existsSync(path + one)) ?? '.js'
  return { module: path + ending, handler: handler.slice(dot + 1) }
}
