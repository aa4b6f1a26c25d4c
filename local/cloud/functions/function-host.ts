import { fork } from 'node:child_process'
import { type ExecutionEnvironment, type ExecutionEnvironmentOptions, exited } from './execution-environment.ts'
import type { Command, FromHost, ToHost } from './host-process.ts'
import type { InvocationMessage, InvocationOutcome } from './worker.ts'

type RemoteEnvironmentOptions = Omit<ExecutionEnvironmentOptions, 'onEnd'>

/**
 * Runs execution environments in a separate process, which exists while it has any. The C library keeps most of the
 * memory that threads have freed, and only a process that exits returns all of it.
 */
export function createFunctionHost() {
  const processes = new Set<HostProcess>()
  const startProcess = (): HostProcess => {
    const started = startHostProcess()
    processes.add(started)
    void started.exit.then(() => processes.delete(started))
    return started
  }

  return {
    /** Starts an environment, in the present process or a new one. */
    start(options: RemoteEnvironmentOptions): ExecutionEnvironment {
      const current = [...processes].find(({ isUsable }) => isUsable()) ?? startProcess()
      return current.start(options)
    },
    /** Ends all environments. Resolves once their process has exited. */
    async close(): Promise<void> {
      await Promise.all([...processes].map((one) => one.close()))
    },
  }
}

type HostProcess = ReturnType<typeof startHostProcess>

function startHostProcess() {
  const child = fork(new URL('./host-process.ts', import.meta.url), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const remotes = new Map<number, Remote>()
  let lastId = 0
  const disconnect = () => child.connected && child.disconnect()

  child.on('message', ({ id, ...message }: FromHost) => {
    const remote = remotes.get(id)
    if ('log' in message) remote?.log(message.log)
    else if ('ended' in message) remote?.ended()
    else remote?.handled(message.handled)
  })
  const { promise: processExit, resolve } = Promise.withResolvers<void>()
  child.once('exit', () => resolve()).on('error', () => resolve())
  const exit = processExit.then(() => {
    for (const remote of remotes.values()) remote.lost()
  })

  return {
    exit,
    isUsable: () => child.connected,
    start({ spec, variables, log }: RemoteEnvironmentOptions): ExecutionEnvironment {
      const id = ++lastId
      const send = (command: Command) => void child.send({ id, ...command } satisfies ToHost, () => {}) // else it exits
      const remote = createRemote({
        send,
        log,
        onEnd() {
          remotes.delete(id)
          if (remotes.size === 0) disconnect()
        },
      })
      remotes.set(id, remote)
      send({ start: { spec, variables } })
      return remote
    },
    async close(): Promise<void> {
      disconnect()
      await exit
    },
  }
}

type Remote = ReturnType<typeof createRemote>

interface RemoteOptions extends Pick<ExecutionEnvironmentOptions, 'log' | 'onEnd'> {
  readonly send: (command: Command) => void
}

/** Creates the caller’s side of an environment in the other process. */
function createRemote({ send, log, onEnd }: RemoteOptions) {
  const { promise: end, resolve } = Promise.withResolvers<void>()
  let current:
    | { readonly message: InvocationMessage; readonly settle: (outcome?: InvocationOutcome) => void }
    | undefined
  let hasEnded = false
  const endOnce = () => {
    if (!hasEnded || current) return // the outcome of the event follows
    resolve()
    onEnd()
  }
  const handled = (outcome?: InvocationOutcome) => {
    current?.settle(outcome)
    current = undefined
    endOnce()
  }
  const ended = () => {
    hasEnded = true
    endOnce()
  }

  return {
    log,
    handled,
    ended,
    /** Ends the environment after its process has exited. The event fails as with a killed runtime. */
    lost() {
      hasEnded = true
      handled(current && exited(current.message, 'Runtime exited with error: signal: killed'))
    },
    handle: (message: InvocationMessage) =>
      new Promise<InvocationOutcome | undefined>((settle) => {
        if (hasEnded) return settle(undefined)
        current = { message, settle }
        send({ handle: message })
      }),
    async end(): Promise<void> {
      if (!hasEnded) send({ end: true })
      await end
    },
  }
}
