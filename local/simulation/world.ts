import { type Clock, createSteppedClock } from '../../lib/clock.ts'
import type { Services } from '../../lib/services/services.ts'
import type { Assembly } from '../cloud/assembly.ts'
import { type Cloud, createCloud } from '../cloud/cloud.ts'
import type { FunctionSpec } from '../cloud/functions/function.ts'
import { createInProcessHandler } from '../cloud/in-process-handler.ts'
import type { Issuer } from '../cloud/issuer.ts'
import { createMediaOff } from '../sandbox/media-off.ts'
import { createSandbox, type Sandbox } from '../sandbox/sandbox.ts'
import { addresses } from './addresses.ts'
import { createAudience } from './audience.ts'
import { type ExecutionsWatch, watchExecutions } from './executions.ts'
import { createFunctions } from './functions.ts'
import type { Guest } from './guests.ts'
import type { MakeHandler } from './handlers.ts'
import { createOutside, type Outside } from './outside.ts'
import type { Quiet } from './quiet.ts'
import { createRandom } from './random.ts'
import { type ResourcesWatch, watchResources } from './resources.ts'
import { createScheduler, type Scheduler } from './scheduler.ts'
import { createServicesOn } from './services.ts'
import { createTrace, type Trace } from './trace.ts'

/** When every simulation begins. */
const BEGINNING = Date.UTC(2030, 0, 1)

export interface WorldOptions {
  /** Closed by its maker, after the world. */
  readonly quiet: Quiet
  readonly assembly: Assembly
  readonly seed: number
  readonly guests: readonly Guest[]
  readonly handlers: ReadonlyMap<string, MakeHandler>
  readonly issuer: Issuer
  /** Functions that are not run, with the reason. */
  readonly leftOut: Readonly<Record<string, string>>
}

/** Platform, cloud, functions and audience in one process, under one clock and one scheduler. */
export interface World {
  readonly sandbox: Sandbox
  readonly cloud: Cloud
  readonly clock: Clock
  readonly trace: Trace
  readonly scheduler: Scheduler
  readonly resources: ResourcesWatch
  readonly executions: ExecutionsWatch
  /** Reaches everything as a function would, but at once and without a trace; its promises need `scheduler.drive`. */
  readonly observer: Services
  /** The ways out of the event app. */
  readonly app: Outside
  /** Resolves at the first step after which this is so. */
  until(isSo: () => boolean): Promise<void>
  close(): void
}

export function createWorld({ quiet, assembly, seed, guests, handlers, issuer, leftOut }: WorldOptions): World {
  const random = (purpose: string) => createRandom(seed, purpose)
  const clock = createSteppedClock(BEGINNING)
  const trace = createTrace(clock)
  const conditions = new Map<() => boolean, () => void>()
  let operation = ''

  const onStep = () => {
    executions.look()
    resources.look()
    for (const [isSo, resolve] of conditions) if (isSo() && conditions.delete(isSo)) resolve()
  }
  const scheduler = createScheduler({ quiet, clock, random: random('order'), onStep })
  const outsideOf = createOutside({
    scheduler,
    trace,
    sandbox: () => sandbox,
    cloud: () => cloud,
    operation: () => operation,
    async onPlatformAnswer(name, answer) {
      if (name === 'createSession' && answer.ok) {
        const [session] = (await answer.json()) as [{ session_id: string }]
        audience.open(session.session_id)
      }
    },
  })
  const audience = createAudience({ guests, clock, reach: (guest) => outsideOf(guest).platform })

  const sandboxRandom = random('sandbox')
  const sandbox = createSandbox({
    clock,
    random: sandboxRandom.bytes,
    media: createMediaOff(clock),
    publicUrl: () => addresses.platform,
    uploadHandler: createInProcessHandler((request) => outsideOf('platform').aws(request)) as never,
    onStatusChange: (change) => resources.see(change),
    log: (line) => {
      operation = line.operation
    },
  })

  const reach = (environment: FunctionSpec['environment'], outside: Outside, name: string) =>
    createServicesOn(outside, { environment, clock, random: random(name).next, credentials: cloud.credentials })
  const cloudRandom = random('cloud')
  const cloud = createCloud({
    assembly,
    parameters: {
      PlatformUrl: addresses.platform,
      TokenIssuer: addresses.issuer,
      UploadEndpoint: addresses.aws,
    },
    apiUrl: addresses.api,
    clock,
    randomHex: cloudRandom.hex,
    random: random('machines').next,
    invoke: createFunctions({
      handlers,
      leftOut,
      servicesFor: ({ environment }, name, gone) => reach(environment, outsideOf(name, gone), name),
      clock,
      scheduler,
      trace,
    }),
    fetch: (input, init) => issuer.fetch(new Request(input, init)),
  })

  const environment = Object.assign({}, ...cloud.functions.map((spec) => spec.environment))
  const observer = reach(environment, { platform: sandbox.fetch, aws: cloud.aws, api: cloud.api }, 'observer')
  const executions = watchExecutions(cloud, trace)
  const resources = watchResources({
    now: clock.now,
    trace,
    onChange: ({ kind }) => {
      if (kind === 'archive') audience.live()
    },
  })

  return {
    sandbox,
    cloud,
    clock,
    trace,
    scheduler,
    resources,
    executions,
    observer,
    app: outsideOf('app'),
    until: (isSo) => new Promise((resolve) => conditions.set(isSo, resolve)),
    close() {
      // All of it is in memory; what a failed simulation left waiting cannot be waited for.
      void cloud.close()
      void sandbox.close()
    },
  }
}
