import { AsyncLocalStorage } from 'node:async_hooks'
import { S3Client } from '@aws-sdk/client-s3'
import { vi } from 'vitest'
import type { TaskHandler } from '../../../lambdas/middleware/task.ts'
import { names } from '../../../lib/workflow/names.ts'
import { tasks } from '../../../lib/workflow/tasks/tasks.ts'

/** A call of the AWS SDK, by the function whose handler has made it. */
export interface AwsCall {
  readonly function: string
  /** `GetObject`, without the ending of its command. */
  readonly operation: string
  readonly input: Readonly<Record<string, unknown>>
}

type Handle = (...args: readonly unknown[]) => unknown
interface Command {
  readonly input: AwsCall['input']
  readonly constructor: { readonly name: string }
}

/** Records what every handler of this process asks the AWS SDK for, from now on: the code itself, under nobody's hand. */
export async function recordAwsCalls(): Promise<readonly AwsCall[]> {
  const calls: AwsCall[] = []
  const running = new AsyncLocalStorage<string>()
  const base = Object.getPrototypeOf(S3Client.prototype) as { send: (command: Command, ...more: unknown[]) => unknown }
  const send = base.send
  vi.spyOn(base, 'send').mockImplementation(function (this: unknown, command, ...more) {
    const caller = running.getStore()
    const operation = command.constructor.name.replace(/Command$/, '')
    if (caller) calls.push({ function: caller, operation, input: command.input })
    return send.call(this, command, ...more)
  })
  for (const name of [...Object.keys(tasks), 'api']) {
    const { handler } = (await import(`../../../lambdas/${names.file(name)}.ts`)) as {
      handler: { on: TaskHandler['on'] }
    }
    const on = handler.on as (...args: readonly unknown[]) => Handle
    const watched = (...given: readonly unknown[]): Handle => {
      const handle = on(...given)
      return (...args) => running.run(names.substitution(name), () => handle(...args))
    }
    Object.assign(handler, { on: watched })
  }
  return calls
}
