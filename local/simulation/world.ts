import { createSteppedClock } from '../../lib/clock.ts'
import type { Assembly } from '../cloud/assembly.ts'
import { createCloud } from '../cloud/cloud.ts'
import type { BusEvent } from '../cloud/events/events.ts'
import type { FunctionSpec } from '../cloud/functions/function.ts'
import { createInProcessHandler } from '../cloud/functions/in-process-handler.ts'
import type { Issuer } from '../cloud/http/issuer.ts'
import { uuid } from '../cloud/states/definition/query-functions.ts'
import type { Chaos } from './chaos/chaos.ts'
import { createEventDelivery } from './chaos/event-delivery.ts'
import { injectFaults } from './chaos/inject-faults.ts'
import type { CoverageCounter } from './coverage/count-coverage.ts'
import { noCoverage } from './coverage/coverage.ts'
import { createDeployer } from './deploying/deployer.ts'
import { createStack } from './deploying/stack.ts'
import { addresses } from './environment/addresses.ts'
import { type AnsweredRequest, noteRequests } from './environment/app/api-requests.ts'
import { type AppOutage, audienceOf, createApiCaller, createApp } from './environment/app/event-app.ts'
import { createAudiences, createSimulatedAudience } from './environment/audience.ts'
import { createChildStarts } from './environment/child-starts.ts'
import { provisionedResources } from './environment/custom-resources.ts'
import { redeployed } from './environment/deployments.ts'
import { createFunctions } from './environment/functions.ts'
import { createHandedOutSecrets } from './environment/handed-out-secrets.ts'
import type { MakeHandler } from './environment/handlers.ts'
import { createKeyChanges } from './environment/keys/key-changes.ts'
import { createPublishedKeys } from './environment/keys/published-keys.ts'
import { isUndecodable } from './environment/media/undecodable-media.ts'
import { createNetwork, type Network } from './environment/network.ts'
import type { SimulatedParticipant } from './environment/participants.ts'
import { createPlatform } from './environment/platform/platform.ts'
import { createPostedCallbacks } from './environment/platform/posted-callbacks.ts'
import { createServicesOn } from './environment/services.ts'
import { limitsIn, withSettings } from './environment/settings.ts'
import { withShortPages } from './environment/short-pages.ts'
import { type ExecutionsReader, watchExecutions } from './environment/watch-executions.ts'
import { watchResources } from './environment/watch-resources.ts'
import type { Decide } from './faults/fault.ts'
import { createInjectedFaults } from './faults/faults.ts'
import type { Quiescence } from './scheduling/quiescence.ts'
import { createRandom } from './scheduling/random.ts'
import { createOrderScheduler } from './scheduling/scheduler.ts'
import { createSkewedClock } from './scheduling/skewed-clock.ts'
import { createTrace } from './trace.ts'
import { createGuests } from './visits/guests.ts'
import { createVisitor } from './visits/visitor.ts'

/** The time at which a simulation begins, unless its scenario names another. */
export const BEGINNING = Date.UTC(2030, 0, 1)

export interface WorldOptions {
  /** Closed by its creator, after the world. */
  readonly quiescence: Quiescence
  readonly assembly: Assembly
  readonly seed: number
  /** Its first time, in milliseconds since the epoch. @default BEGINNING */
  readonly beginning?: number | undefined
  /** Seconds before its beginning in which the stack is deployed. @default 0 */
  readonly deploymentSeconds?: number | undefined
  /** Participants of the show. @default none */
  readonly participants?: readonly SimulatedParticipant[]
  /** Returns the participants of each of many shows, if one show does not get them all. @default the last session has them */
  readonly participantsOf?: (showId: string) => Promise<readonly SimulatedParticipant[]>
  /** Receives histories as they grow, so that memory stays flat. @default histories are kept */
  readonly executionsReader?: ExecutionsReader | undefined
  /** Counts the places that are reached. @default nothing is counted */
  readonly coverage?: CoverageCounter | undefined
  /** Called after each step, before conditions are read. @default nothing is called */
  readonly onStep?: () => void
  readonly handlers: ReadonlyMap<string, MakeHandler>
  readonly issuer: Issuer
  /** Functions that do not run, with the reason. */
  readonly leftOut: Readonly<Record<string, string>>
  /** Decides the faults of calls. @default none */
  readonly decide?: Decide | undefined
  /** Faults beside calls. @default none */
  readonly chaos?: Chaos | undefined
  /** Outages of the event app’s server. @default none */
  readonly appOutages?: readonly AppOutage[] | undefined
  /** Upper bound of a composed archive, in bytes. @default that of media off */
  readonly maxFileBytes?: number | undefined
  /** Limit of simulated seconds. @default none */
  readonly maxSeconds?: number | undefined
}

export type World = ReturnType<typeof createWorld>

/** Creates platform, cloud, functions and audience in one process, under one clock and one scheduler. */
export function createWorld(options: WorldOptions) {
  const { quiescence, assembly, seed, participants = [], participantsOf, handlers, issuer, leftOut } = options
  const { chaos = {}, maxSeconds, executionsReader, coverage, beginning = BEGINNING, deploymentSeconds = 0 } = options
  const random = (purpose: string) => createRandom(seed, purpose)
  const clock = createSteppedClock(beginning - deploymentSeconds * 1000)
  const trace = createTrace(clock)
  const faults = createInjectedFaults({ decide: options.decide, now: clock.now, trace, coverage })
  const eventApp = createApp({ now: clock.now, beginning, outages: options.appOutages })
  const handedOut = createHandedOutSecrets()
  const keyChanges = createKeyChanges(clock.now)
  const deployer = createDeployer(clock.now, random('stack'))
  const conditions = new Map<() => boolean, () => void>()
  let operation = ''

  const onStep = () => {
    executions.poll()
    const hasChanged = resources.poll()
    if (maxSeconds !== undefined && clock.now() - beginning > maxSeconds * 1000)
      throw new Error(`The simulation did not finish within ${maxSeconds} simulated seconds.`)
    options.onStep?.()
    const met = [...conditions].filter(([isSo]) => isSo())
    for (const [isSo, resolve] of met) {
      conditions.delete(isSo)
      resolve()
    }
    return met.length > 0 || hasChanged
  }
  const scheduler = createOrderScheduler({ quiescence, clock, random: random('order'), onStep })
  const outsideOf = createNetwork({
    scheduler,
    clock,
    trace,
    faults,
    targets: {
      platform: handedOut.readPlatform((request) => platform.fetch(request)),
      aws: deployer.read(
        keyChanges.read(handedOut.readAws(withShortPages((request) => cloud.aws(request), chaos.pageSize))),
      ),
      api: (request) => cloud.api(request),
      app: eventApp.receive,
    },
    operation: () => operation,
  })
  const reachAsParticipant = (name: string) => outsideOf({ name, isSpared: true }).platform
  const audience = participantsOf
    ? createAudiences({ participantsOf, clock, reach: reachAsParticipant })
    : createSimulatedAudience({ participants, clock, reach: reachAsParticipant })

  const postedCallbacks = createPostedCallbacks()
  const uploader = outsideOf({ name: 'platform', patience: UPLOAD_PATIENCE })
  const platform = createPlatform({
    clock: createSkewedClock(clock, chaos.clockSkew),
    random: random('sandbox').bytes,
    uploadHandler: createInProcessHandler((request) => uploader.aws(request)) as never,
    callbackFetch(request) {
      const forwarded = new Request(request.url.replace(addresses.callbacks, addresses.api), request)
      const answer = uploader.fetch(forwarded.clone())
      postedCallbacks.note(forwarded, answer)
      return answer
    },
    maxFileBytes: options.maxFileBytes,
    onStatusChange: (change) => resources.record(change),
    log: (line) => {
      operation = line.operation
    },
  })

  const ids = random('ids')
  const reach = (environment: FunctionSpec['environment'], outside: Pick<Network, 'aws' | 'fetch'>, name: string) =>
    createServicesOn(outside, {
      ...{ environment, clock },
      isUndecodable: () => isUndecodable(chaos.undecodable, clock.now() - beginning),
      random: random(name).next,
      newId: () => uuid(ids.next),
      credentials: cloud.credentials,
      direct: { ...cloud, platform: handedOut.readDirectly(platform), pageSize: chaos.pageSize },
    })
  const cloudRandom = random('cloud')
  const cloud = createCloud({
    assembly,
    parameters: {
      PlatformUrl: addresses.platform,
      ...(chaos.insights && { InsightsUrl: addresses.insights }),
      TokenIssuer: addresses.issuer,
      UploadEndpoint: addresses.aws,
      CallbackReach: 'anywhere',
    },
    apiUrl: addresses.api,
    customResources: provisionedResources(assembly, platform.projectKey),
    ...(executionsReader && { maxFinished: Number.POSITIVE_INFINITY }),
    clock,
    randomHex: cloudRandom.hex,
    random: random('machines').next,
    invoke: createFunctions({
      handlers,
      leftOut,
      servicesFor: ({ environment }, life) => reach(withSettings(environment, chaos), outsideOf(life), life.name),
      clock,
      scheduler,
      faults,
      trace,
      ...(chaos.invokedTwice && { twice: { share: chaos.invokedTwice, random: random('invoked twice') } }),
    }),
    fetch: (input, init) => issuer.fetch(new Request(input, init)),
    onHistoryEvent: (executionArn) => executions.note(executionArn),
    beforeChild: createChildStarts(faults),
    ...(chaos.events && {
      deliverEvent: createEventDelivery(chaos.events, { clock, random: random('events'), faults }),
    }),
  })

  const environment = Object.assign({}, ...cloud.functions.map((spec) => spec.environment))
  const unscheduled = { fetch: (request: Request) => platform.sandbox.fetch(request), aws: cloud.aws }
  const observer = reach(environment, unscheduled, 'observer')
  const executions = watchExecutions(cloud, trace, { reader: executionsReader, coverage })
  const events: BusEvent[] = []
  const bus = observer.variable('EVENT_BUS')
  cloud.events.addRule({
    bus,
    pattern: { source: ['showrunner'] },
    deliver(event) {
      events.push(event)
      const { sessionId, showId } = event.detail as { sessionId: string; showId: string }
      if (event['detail-type'] === 'session.opened') audience.open(sessionId, showId)
    },
  })
  const platformEvents: BusEvent[] = []
  cloud.events.addRule({
    bus,
    pattern: { source: ['showrunner.platform'] },
    deliver: (event) => void platformEvents.push(event),
  })
  const resources = watchResources({
    now: clock.now,
    trace,
    onChange: ({ kind, sessionId }) => {
      if (kind === 'archive') audience.live(sessionId)
    },
  })
  const publishedKeys = createPublishedKeys({ cloud, clock })
  const callApi = createApiCaller(outsideOf({ name: 'app', patience: APP_PATIENCE }), { assembly, issuer, clock })
  const apiRequests: AnsweredRequest[] = []
  const token = { audience: audienceOf(assembly), claim: observer.variable('ROLE_CLAIM') }
  const network = outsideOf({ name: 'visitor', patience: APP_PATIENCE, isSpared: true })
  const visitor = createVisitor({ network, issuer, clock, token })
  const servicesWith = (more: FunctionSpec['environment']) => reach({ ...environment, ...more }, unscheduled, 'guests')
  const guests = createGuests({ handlers, clock, servicesWith, files: cloud.aws, token })
  const stack = createStack({ cloud, platform, clock, observer, faults, resources, ...deployer })
  let deployments = 0
  const deploy = () => cloud.deploy(redeployed(assembly, ++deployments))
  const parts = {
    ...{ deploy, clock, scheduler, faults, platform, audience },
    ...{ resources, executions, cloud, observer, publishedKeys, stack },
  }

  return {
    platform,
    cloud,
    clock,
    /** The time from which those of the show are counted, in milliseconds since the epoch. */
    beginning,
    trace,
    scheduler,
    resources,
    executions,
    /** Services of a function whose calls are neither scheduled nor traced. Its promises need `scheduler.drive`. */
    observer,
    /** Showrunner's API, as the event app calls it. */
    callApi: noteRequests(callApi, clock.now, (request) => apiRequests.push(request)),
    /** Requests to the API, with their answers. */
    apiRequests: apiRequests as readonly AnsweredRequest[],
    /** A visitor, who reads the API, watch pages and files. */
    visitor,
    /** Visitors whose requests change nothing of what happens. */
    guests,
    audience,
    /** Names of participants who publish. */
    publishers: new Set(participants.flatMap(({ name, publishes = true }) => (publishes ? name : []))),
    /** Keys by which the event app verifies callbacks. */
    publishedKeys,
    /** Requests to the event app’s server. */
    callbacks: eventApp.callbacks,
    faults,
    ...{ leftOut, ...limitsIn(chaos) },
    /** Returns what was counted. */
    takenCoverage: () => coverage?.taken() ?? noCoverage,
    events,
    platformEvents,
    /** Callbacks of the platform that were accepted, by the SHA-256 of their bodies. */
    postedCallbacks: postedCallbacks.accepted,
    /** Secrets that the platform and IAM have handed out. */
    handedOut,
    /** The stack, as CloudFormation and its deployer see it. */
    stack,
    userPolicies: deployer.userPolicies,
    /** Access keys that IAM deactivated or deleted. */
    keyChanges: keyChanges.all,
    output: quiescence.output,
    startChaos: () => injectFaults(chaos, { ...parts, random: random('chaos') }),
    /** Resolves at the first step after which the condition holds. */
    until: (isSo: () => boolean) => new Promise<void>((resolve) => conditions.set(isSo, resolve)),
    close() {
      // Everything is in memory, and pending work of a failed simulation never ends.
      void cloud.close()
      void platform.close()
    },
  }
}

/** Seconds until uploads of the sandbox, and the client of an app, give up a call. */
const UPLOAD_PATIENCE = 60
const APP_PATIENCE = 30
