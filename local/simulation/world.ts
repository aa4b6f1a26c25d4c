import { type Clock, createSteppedClock } from '../../lib/clock.ts'
import type { Services } from '../../lib/services.ts'
import type { Assembly } from '../cloud/assembly.ts'
import { type Cloud, createCloud } from '../cloud/cloud.ts'
import type { BusEvent } from '../cloud/events/events.ts'
import type { FunctionSpec } from '../cloud/functions/function.ts'
import { createInProcessHandler } from '../cloud/functions/in-process-handler.ts'
import type { Issuer } from '../cloud/http/issuer.ts'
import type { Chaos } from './chaos/chaos.ts'
import { createEventDelivery } from './chaos/event-delivery.ts'
import { injectFaults } from './chaos/inject.ts'
import { addresses } from './environment/addresses.ts'
import { type AppOutage, type CallApi, type Callback, createApiCaller, createApp } from './environment/app.ts'
import { type Audience, createAudience } from './environment/audience.ts'
import { madeBefore } from './environment/custom-resources.ts'
import { type ExecutionsWatch, watchExecutions } from './environment/executions.ts'
import { createFunctions } from './environment/functions.ts'
import type { Guest } from './environment/guests.ts'
import { createHandedOutSecrets, type HandedOutSecrets } from './environment/handed-out-secrets.ts'
import type { MakeHandler } from './environment/handlers.ts'
import { createNetwork, type Network } from './environment/network.ts'
import { createPlatform, type Platform } from './environment/platform.ts'
import { type ResourcesWatch, watchResources } from './environment/resources.ts'
import { createServicesOn } from './environment/services.ts'
import { createFaults, type Faults } from './faults/counting.ts'
import type { Decide } from './faults/fault.ts'
import type { Quiescence } from './scheduling/quiescence.ts'
import { createRandom } from './scheduling/random.ts'
import { createScheduler, type Scheduler } from './scheduling/scheduler.ts'
import { createTrace, type Trace } from './trace.ts'

/** When every simulation begins. */
export const BEGINNING = Date.UTC(2030, 0, 1)

export interface WorldOptions {
  /** Closed by its maker, after the world. */
  readonly quiet: Quiescence
  readonly assembly: Assembly
  readonly seed: number
  readonly guests: readonly Guest[]
  readonly handlers: ReadonlyMap<string, MakeHandler>
  readonly issuer: Issuer
  /** Functions that are not run, with the reason. */
  readonly leftOut: Readonly<Record<string, string>>
  /** What goes wrong with calls; nothing unless told. */
  readonly decide?: Decide | undefined
  /** What goes wrong beside them; nothing unless told. */
  readonly chaos?: Chaos | undefined
  /** When the event app's server is not well; never unless told. */
  readonly appOutages?: readonly AppOutage[] | undefined
  /** Seconds of the world's time that it may take; as long as it likes unless told. */
  readonly longest?: number | undefined
}

/** Platform, cloud, functions and audience in one process, under one clock and one scheduler. */
export interface World {
  readonly platform: Platform
  readonly cloud: Cloud
  readonly clock: Clock
  readonly trace: Trace
  readonly scheduler: Scheduler
  readonly resources: ResourcesWatch
  readonly executions: ExecutionsWatch
  /** Reaches everything as a function would, but at once and without a trace; its promises need `scheduler.drive`. */
  readonly observer: Services
  /** Showrunner's API, as the event app calls it. */
  readonly callApi: CallApi
  readonly audience: Audience
  /** What the event app's own server was sent. */
  readonly callbacks: readonly Callback[]
  readonly faults: Faults
  /** What Showrunner has put on the bus. */
  readonly told: readonly BusEvent[]
  /** What it has put on its own bus. */
  readonly toldOfPlatform: readonly BusEvent[]
  /** What the platform and IAM have made up and handed out. */
  readonly handedOut: HandedOutSecrets
  /** What functions have written to their logs, one text each. */
  readonly output: readonly string[]
  /** Begins what is planned to go wrong beside the calls. */
  startChaos(): void
  /** Resolves at the first step after which this is so. */
  until(isSo: () => boolean): Promise<void>
  close(): void
}

export function createWorld(options: WorldOptions): World {
  const { quiet, assembly, seed, guests, handlers, issuer, leftOut, decide, chaos = {}, longest } = options
  const random = (purpose: string) => createRandom(seed, purpose)
  const clock = createSteppedClock(BEGINNING)
  const trace = createTrace(clock)
  const faults = createFaults({ decide, now: clock.now, trace })
  const eventApp = createApp({ now: clock.now, outages: options.appOutages })
  const handedOut = createHandedOutSecrets()
  const conditions = new Map<() => boolean, () => void>()
  let operation = ''

  const onStep = () => {
    executions.look()
    const isHeard = resources.look()
    if (longest !== undefined && clock.now() - BEGINNING > longest * 1000)
      throw new Error(`The simulation stands still: nothing has come of it in ${longest} s of its time.`)
    const met = [...conditions].filter(([isSo]) => isSo())
    for (const [isSo, resolve] of met) {
      conditions.delete(isSo)
      resolve()
    }
    return met.length > 0 || isHeard
  }
  const scheduler = createScheduler({ quiet, clock, random: random('order'), onStep })
  const outsideOf = createNetwork({
    scheduler,
    clock,
    trace,
    faults,
    targets: {
      platform: handedOut.readPlatform((request) => platform.fetch(request)),
      aws: handedOut.readAws((request) => cloud.aws(request)),
      api: (request) => cloud.api(request),
      app: eventApp.receive,
    },
    operation: () => operation,
  })
  const reachAsGuest = (name: string) => outsideOf({ name, isSpared: true }).platform
  const audience = createAudience({ guests, clock, reach: reachAsGuest })

  const uploader = outsideOf({ name: 'platform', patience: UPLOAD_PATIENCE })
  const platform = createPlatform({
    clock,
    random: random('sandbox').bytes,
    uploadHandler: createInProcessHandler(uploader.aws) as never,
    callbackFetch: uploader.fetch,
    onStatusChange: (change) => resources.see(change),
    log: (line) => {
      operation = line.operation
    },
  })

  const reach = (environment: FunctionSpec['environment'], outside: Pick<Network, 'aws' | 'fetch'>, name: string) =>
    createServicesOn(outside, { environment, clock, random: random(name).next, credentials: cloud.credentials })
  const cloudRandom = random('cloud')
  const cloud = createCloud({
    assembly,
    parameters: {
      PlatformUrl: addresses.platform,
      TokenIssuer: addresses.issuer,
      UploadEndpoint: addresses.aws,
      CallbackReach: 'anywhere',
    },
    apiUrl: addresses.api,
    customResources: madeBefore(assembly),
    clock,
    randomHex: cloudRandom.hex,
    random: random('machines').next,
    invoke: createFunctions({
      handlers,
      leftOut,
      servicesFor: ({ environment }, life) => reach(environment, outsideOf(life), life.name),
      clock,
      scheduler,
      faults,
      trace,
    }),
    fetch: (input, init) => issuer.fetch(new Request(input, init)),
    ...(chaos.events && { carry: createEventDelivery(chaos.events, { clock, random: random('events'), faults }) }),
  })

  const environment = Object.assign({}, ...cloud.functions.map((spec) => spec.environment))
  const observer = reach(
    environment,
    { fetch: (request) => platform.sandbox.fetch(request), aws: cloud.aws },
    'observer',
  )
  const executions = watchExecutions(cloud, trace)
  const told: BusEvent[] = []
  const bus = observer.variable('EVENT_BUS')
  cloud.events.addRule({
    bus,
    pattern: { source: ['showrunner'] },
    deliver(event) {
      told.push(event)
      if (event['detail-type'] === 'session.opened') audience.open((event.detail as { sessionId: string }).sessionId)
    },
  })
  const toldOfPlatform: BusEvent[] = []
  cloud.events.addRule({
    bus,
    pattern: { source: ['showrunner.platform'] },
    deliver: (event) => void toldOfPlatform.push(event),
  })
  const resources = watchResources({
    now: clock.now,
    trace,
    onChange: ({ kind }) => {
      if (kind === 'archive') audience.live()
    },
  })
  const parts = { clock, scheduler, faults, platform, audience, resources, executions, cloud, observer }

  return {
    platform,
    cloud,
    clock,
    trace,
    scheduler,
    resources,
    executions,
    observer,
    callApi: createApiCaller(outsideOf({ name: 'app', patience: APP_PATIENCE }), { assembly, issuer, clock }),
    audience,
    callbacks: eventApp.callbacks,
    faults,
    told,
    toldOfPlatform,
    handedOut,
    output: quiet.output,
    startChaos: () => injectFaults(chaos, { ...parts, random: random('chaos') }),
    until: (isSo) => new Promise((resolve) => conditions.set(isSo, resolve)),
    close() {
      // All of it is in memory; what a failed simulation left waiting cannot be waited for.
      void cloud.close()
      void platform.close()
    },
  }
}

/** Seconds after which the sandbox's uploads, and an app's client, give a call up. */
const UPLOAD_PATIENCE = 60
const APP_PATIENCE = 30
