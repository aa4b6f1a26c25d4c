import { AsyncLocalStorage } from 'node:async_hooks'
import { GetObjectCommand } from '@aws-sdk/client-s3'
import type { TaskHandler } from '../../../lambdas/middleware/task.ts'
import { apiFunction } from '../../../lib/api/api.ts'
import { joinFunction } from '../../../lib/api/invitations.ts'
import { watchFunction } from '../../../lib/api/watch-routes.ts'
import type { Services } from '../../../lib/services.ts'
import { names } from '../../../lib/show/document/fields/names.ts'
import { type Capability, capabilities } from '../../../lib/tasks/environment.ts'
import { tasks } from '../../../lib/tasks/tasks.ts'
import { loadFunction } from '../../../local/simulation/environment/handlers.ts'
import { servicesOfFunction } from '../../support/world.ts'

/** A call of the AWS SDK, by the function whose handler has made it, or has signed a link that makes it later. */
export interface AwsCall {
  readonly function: string
  /** `GetObject`, without the ending of its command. */
  readonly operation: string
  readonly input: Readonly<Record<string, unknown>>
  /** The key that it is signed with. */
  readonly accessKeyId: Promise<string>
  /** What the handler works on: it has the variables of its needs, and values of the world. */
  readonly services: Services
}

type Handle = (...args: readonly unknown[]) => unknown
interface Configuration {
  readonly credentials: () => Promise<{ readonly accessKeyId: string }>
}
interface Command {
  readonly input: AwsCall['input']
  readonly constructor: { readonly name: string }
  resolveMiddlewareWithContext(stack: unknown, configuration: Configuration, ...more: unknown[]): unknown
}

/** Every command of the SDK passes here, be it sent or only signed. */
const everyCommand: Command = Object.getPrototypeOf(Object.getPrototypeOf(GetObjectCommand.prototype))

/** Calls `note` with what every handler of this process asks the AWS SDK for, from now on: the code itself, without a mock. */
export async function recordAwsCalls(note: (call: AwsCall) => void): Promise<void> {
  const running = new AsyncLocalStorage<Pick<AwsCall, 'function' | 'services'>>()
  const resolve = everyCommand.resolveMiddlewareWithContext
  everyCommand.resolveMiddlewareWithContext = function (stack, configuration, ...more) {
    const caller = running.getStore()
    const operation = this.constructor.name.replace(/Command$/, '')
    const accessKeyId = async () => (await configuration.credentials()).accessKeyId
    if (caller) note({ ...caller, operation, input: this.input, accessKeyId: accessKeyId() })
    return resolve.call(this, stack, configuration, ...more)
  }
  const functions: Record<string, { readonly capabilities: readonly Capability[] }> = {
    ...tasks,
    api: apiFunction,
    watch: watchFunction,
    join: joinFunction,
  }
  for (const [name, { capabilities: wanted }] of Object.entries(functions)) {
    const handler = (await loadFunction(name)) as { on: TaskHandler['on'] }
    const on = handler.on as (services: Services, ...more: readonly unknown[]) => Handle
    const servicesIn = ownServices(wanted)
    const watched = (given: Services, ...more: readonly unknown[]): Handle => {
      const services = servicesIn(given)
      const handle = on(services, ...more)
      return (...args) => running.run({ function: names.substitution(name), services }, () => handle(...args))
    }
    Object.assign(handler, { on: watched })
  }
}

/** A function has services of its own in each world, as it has on AWS: what another one has read is not known to it. */
function ownServices(wanted: readonly Capability[]): (given: Services) => Services {
  const variables = wanted.flatMap((need) => capabilities[need].variables)
  const known = new WeakMap<Services, Services>()
  return (given) => {
    const own = known.get(given) ?? servicesOfFunction(given, variables) ?? given
    known.set(given, own)
    return own
  }
}
