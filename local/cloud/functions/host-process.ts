import {
  type ExecutionEnvironment,
  type ExecutionEnvironmentOptions,
  startExecutionEnvironment,
} from './execution-environment.ts'
import type { InvocationMessage, InvocationOutcome } from './worker.ts'

/** A command to an environment of this process. */
export type Command =
  | { readonly start: Pick<ExecutionEnvironmentOptions, 'spec' | 'variables'> }
  | { readonly handle: InvocationMessage }
  | { readonly end: true }

/** Ids are the caller’s. */
export type ToHost = { readonly id: number } & Command

/** A message about an environment. `handled` is undefined if the environment had ended before the event. */
export type FromHost = { readonly id: number } & (
  | { readonly log: string }
  | { readonly handled: InvocationOutcome | undefined }
  | { readonly ended: true }
)

const environments = new Map<number, ExecutionEnvironment>()
/** Ignores the error of a parent that has just ended: its disconnection follows. */
const send = (message: FromHost) => process.connected && process.send?.(message, undefined, {}, () => {})

process.on('message', async ({ id, ...command }: ToHost) => {
  if ('start' in command) environments.set(id, start(id, command.start))
  else if ('end' in command) await environments.get(id)?.end()
  else send({ id, handled: await environments.get(id)?.handle(command.handle) })
})

// The parent ends this process by disconnecting, so that functions end in an orderly way also after Ctrl-C in a terminal.
for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM']) process.on(signal, () => {})
process.on('disconnect', () => process.exit())

const start = (id: number, { spec, variables }: Pick<ExecutionEnvironmentOptions, 'spec' | 'variables'>) =>
  startExecutionEnvironment({
    spec,
    variables,
    log: (text) => send({ id, log: text }),
    onEnd() {
      environments.delete(id)
      send({ id, ended: true })
    },
  })
