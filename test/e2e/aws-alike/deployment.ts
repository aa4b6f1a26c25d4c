import { IAMClient } from '@aws-sdk/client-iam'
import { S3Client } from '@aws-sdk/client-s3'
import { SchedulerClient } from '@aws-sdk/client-scheduler'
import { CreateSecretCommand, PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { ListExecutionsCommand, SFNClient } from '@aws-sdk/client-sfn'
import { localSettings, synthesizeTemplate } from '../../../bin/local/assembly.ts'
import type { ShowDocument } from '../../../lib/show/document/show.ts'
import type { Assembly } from '../../../local/cloud/assembly.ts'
import { createCloud } from '../../../local/cloud/cloud.ts'
import type { BusEvent } from '../../../local/cloud/events/events.ts'
import { createInProcessHandler, signByClock } from '../../../local/cloud/functions/in-process-handler.ts'
import { createIssuer } from '../../../local/cloud/http/issuer.ts'
import { createMediaOff } from '../../../local/sandbox/media/media-off.ts'
import { createSandbox } from '../../../local/sandbox/sandbox.ts'
import { addresses } from '../../../local/simulation/environment/addresses.ts'
import { provisionedResources } from '../../../local/simulation/environment/custom-resources.ts'
import { createFunctions } from '../../../local/simulation/environment/functions.ts'
import { loadHandlers } from '../../../local/simulation/environment/handlers.ts'
import { createNetwork } from '../../../local/simulation/environment/network.ts'
import { awsClientConfig, createServicesOn, readSdkFiles } from '../../../local/simulation/environment/services.ts'
import { createInjectedFaults } from '../../../local/simulation/faults/faults.ts'
import { createRandom } from '../../../local/simulation/scheduling/random.ts'
import { createTrace } from '../../../local/simulation/trace.ts'
import type { Pace } from './pace.ts'

export interface DeploymentOptions {
  /** The laptop's; synthesized unless given. */
  readonly assembly?: Assembly
  readonly pace: Pace
  /** Functions that are not run, with the reason. */
  readonly leftOut?: Readonly<Record<string, string>>
  /** How often, and how late in ms, S3's events arrive; once and at once unless sent. */
  readonly arrivals?: readonly number[]
}

/** Whose token a call of the API has, or a token itself. */
export type Bearer = 'operator' | 'viewer' | { readonly token: string }

export interface Call {
  readonly as?: Bearer
  /** Idempotency-Key. */
  readonly key?: string
  readonly body?: object
}

/** An answer of the API, read. */
export interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

export type Deployment = Awaited<ReturnType<typeof deploy>>

/** Where the platform posts its callbacks: the sandbox registers addresses of this machine only. */
const CALLBACKS = 'http://127.0.0.1:1/callbacks/all'

/**
 * The stack as it was synthesized for the laptop, with the settings of a deployment to AWS where the two differ: callbacks
 * reach public addresses only. Beside it the sandbox, and somebody who comes to every show. What tests do goes through the
 * doors that AWS and the platform have.
 */
export async function deploy({ pace, leftOut = {}, arrivals = [0], ...given }: DeploymentOptions) {
  const { clock, scheduler } = pace
  const [assembly, handlers, issuer] = await Promise.all([
    given.assembly ?? synthesizeTemplate(),
    loadHandlers(),
    createIssuer(() => addresses.issuer),
    readSdkFiles(),
  ])
  const random = (purpose: string) => createRandom(1, purpose)
  const trace = createTrace(clock)
  const faults = createInjectedFaults({ decide: undefined, now: clock.now, trace })
  const outsideOf = createNetwork({
    scheduler,
    clock,
    trace,
    faults,
    targets: {
      platform: (request) => sandbox.fetch(request),
      aws: (request) => cloud.aws(request),
      api: (request) => cloud.api(request),
      app: async () => Response.error(), // callbacks that may go out do so over sockets
    },
    operation: () => '',
  })

  /** Ids of the keys with which the platform has uploaded, in order. */
  const uploadedWith: string[] = []
  /** Callbacks of the platform, as they were on the wire. */
  const callbacks: { readonly authorization: string; readonly body: string }[] = []
  const platform = outsideOf({ name: 'platform' })
  const sandbox = createSandbox({
    clock,
    random: random('sandbox').bytes,
    media: createMediaOff(clock),
    publicUrl: () => addresses.platform,
    uploadHandler: createInProcessHandler((request) => {
      uploadedWith.push(/Credential=(\w+)/.exec(request.headers.get('authorization') ?? '')?.[1] ?? '')
      return platform.aws(request)
    }) as never,
    async callbackFetch(request) {
      const callback = { authorization: request.headers.get('authorization') ?? '', body: await request.text() }
      callbacks.push(callback)
      return postCallback(callback)
    },
  })

  const cloudRandom = random('cloud')
  const cloud = createCloud({
    assembly,
    parameters: {
      PlatformUrl: addresses.platform,
      TokenIssuer: addresses.issuer,
      UploadEndpoint: addresses.aws,
      CallbackReach: 'public',
    },
    apiUrl: addresses.api,
    customResources: provisionedResources(assembly, sandbox.project.apiKey),
    clock,
    randomHex: cloudRandom.hex,
    random: random('machines').next,
    invoke: createFunctions({
      handlers,
      leftOut,
      servicesFor: ({ environment }, life) =>
        createServicesOn(outsideOf(life), {
          environment,
          clock,
          random: random(life.name).next,
          credentials: cloud.credentials,
        }),
      clock,
      scheduler,
      faults,
      trace,
    }),
    fetch: (input, init) => issuer.fetch(new Request(input, init)),
    deliverEvent(event, deliver) {
      if (event.source !== 'aws.s3') return deliver()
      for (const late of arrivals) clock.at(clock.now() + late, deliver)
    },
  })
  const environment: Record<string, string> = Object.assign({}, ...cloud.functions.map((one) => one.environment))
  const postCallback = ({ authorization, body }: { authorization: string; body: string }) =>
    platform.api(
      new Request(CALLBACKS.replace('http://127.0.0.1:1', addresses.api), {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body,
      }),
    )

  /** What Showrunner has sent on the bus, and what the platform's callbacks have. */
  const sent: BusEvent[] = []
  const platformEvents: BusEvent[] = []
  const executions: BusEvent[] = []
  const guest = outsideOf({ name: 'Ada' })
  const join = (sessionId: string) => {
    const url = `http://localhost/sandbox/sessions/${encodeURIComponent(sessionId)}/participants`
    const body = JSON.stringify({ name: 'Ada', publish: true })
    return guest.platform(new Request(url, { method: 'POST', body }))
  }
  const bus = environment.EVENT_BUS ?? ''
  cloud.events.addRule({
    bus,
    pattern: { source: ['showrunner'] },
    deliver(event) {
      sent.push(event)
      if (event['detail-type'] === 'session.opened') void join((event.detail as { sessionId: string }).sessionId)
    },
  })
  cloud.events.addRule({
    bus,
    pattern: { source: ['showrunner.platform'] },
    deliver: (event) => void platformEvents.push(event),
  })
  cloud.events.addRule({ pattern: { source: ['aws.states'] }, deliver: (event) => void executions.push(event) })

  const client = <Client extends { config: { systemClockOffset: number } }>(
    Make: new (settings: ReturnType<typeof awsClientConfig>) => Client,
  ) => {
    const made = new Make(awsClientConfig(cloud.aws, cloud.credentials))
    signByClock(made, clock)
    return made
  }
  const aws = {
    s3: client(S3Client),
    secrets: client(SecretsManagerClient),
    iam: client(IAMClient),
    scheduler: client(SchedulerClient),
    states: client(SFNClient),
  }

  const { audience, roleClaim, viewer, operator } = localSettings.identity
  const tokenFor = (role: 'operator' | 'viewer', seconds = 3_600) => {
    const claims = { sub: `the ${role}`, [roleClaim]: { operator, viewer }[role] }
    return issuer.sign(claims, { audience, seconds, now: clock.now() })
  }
  const app = outsideOf({ name: 'app' })
  const call = async (route: string, { as = 'operator', key, body }: Call = {}): Promise<Answer> => {
    const [method = '', path = ''] = route.split(' ')
    const token = typeof as === 'string' ? await tokenFor(as) : as.token
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...(key !== undefined && { 'idempotency-key': key }),
    }
    const request = new Request(addresses.api + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    const answer = await app.api(request)
    return { status: answer.status, body: (await answer.json()) as Answer['body'] }
  }

  await pace.drive(async () => {
    const put = (SecretId: string | undefined, value: object) =>
      aws.secrets.send(new PutSecretValueCommand({ SecretId, SecretString: JSON.stringify(value) }))
    await put(cloud.outputs.ProjectSecretArn, sandbox.project)
    const { accountKey: apiKey, accountSecret: apiSecret } = sandbox.account
    const account = { Name: environment.ACCOUNT_SECRET, SecretString: JSON.stringify({ apiKey, apiSecret }) }
    await aws.secrets.send(new CreateSecretCommand(account))
    const secret = 'the platform’s own'
    await put(cloud.outputs.PlatformCallbacksArn, { all: secret })
    const url = `http://localhost/sandbox/projects/${sandbox.project.apiKey}/callbacks`
    await sandbox.fetch(new Request(url, { method: 'PUT', body: JSON.stringify({ url: CALLBACKS, secret }) }))
  })

  return {
    clock,
    cloud,
    environment,
    aws,
    call,
    tokenFor,
    trace,
    sent,
    platformEvents,
    /** Changes of executions' statuses, in order. */
    executions,
    callbacks,
    postCallback,
    uploadedWith,
    /** Posts a show and gives its id. */
    async post(show: ShowDocument, key?: string): Promise<string> {
      const { body } = await call('POST /shows', { body: show, ...(key !== undefined && { key }) })
      if (typeof body.showId !== 'string') throw new Error(JSON.stringify(body))
      return body.showId
    },
    /** Events about a show, or one of its recordings, by what they tell. */
    eventsOf: (showId: string, event: string) =>
      sent.filter((one) => one['detail-type'] === event && (one.detail as { showId?: string }).showId === showId),
    /** Names of a machine's executions, which is called by the end of its name. */
    async executionsOf(machine: 'show' | 'publish'): Promise<string[]> {
      const stateMachineArn = environment[machine === 'show' ? 'SHOW_MACHINE' : 'PUBLISH_MACHINE']
      const { executions: all = [] } = await aws.states.send(new ListExecutionsCommand({ stateMachineArn }))
      return all.map(({ name = '' }) => name)
    },
    async close() {
      await cloud.close()
      await sandbox.close()
      pace.close()
    },
  }
}
