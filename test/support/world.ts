import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import type { S3ClientConfig } from '@aws-sdk/client-s3'
import type { Context } from 'aws-lambda'
import type { SteppedClock } from '../../lib/clock.ts'
import { createServices, type ServiceDependencies, type Services } from '../../lib/services.ts'
import type { ShowDocument } from '../../lib/show/document/show.ts'
import { show as showSchema } from '../../lib/show/document/show.ts'
import type { Environment, Variable } from '../../lib/tasks/environment.ts'
import type { BusEvent } from '../../local/cloud/events/events.ts'
import { createInProcessHandler, signByClock } from '../../local/cloud/functions/in-process-handler.ts'
import type { Versioning } from '../../local/cloud/s3/store/versions.ts'
import type { SecretsManager } from '../../local/cloud/secrets/secrets.ts'
import { wireCloud } from '../../local/cloud/wire-cloud.ts'
import { callDirectly, type SendingClient } from '../../local/simulation/environment/direct/direct-calls.ts'
import { assemblyOf } from '../local/cloud/small-assembly.ts'
import { openSandbox } from '../local/sandbox/open-sandbox.ts'
import { environmentOf } from './world/environment.ts'
import { passing } from './world/interceptors.ts'
import { BUCKET, OWN_BUS, ROTATORS, SHOW_SECRETS, START_SHOW, templateOf, UPLOADER } from './world/stack.ts'

export { BUCKET, functionArn, machineArn, SHOW_SECRETS } from './world/stack.ts'

/** Signs links to watch pages. */
export const WATCH_SECRET = 'the secret by which links to watch pages are signed'
/** Signs callbacks to event apps. */
export const CALLBACK_SECRET = 'the secret of the callbacks, 32 or more'
/** Signs the platform's callbacks. */
export const RECEIVER_SECRET = 'the secret of the platform’s callbacks'
/** Seed of the key pair of callbacks. */
export const CALLBACK_KEY = 'what the key pair of callbacks is derived from'
/** Servers that secrets of shows may be sent to. */
const SECRET_DESTINATIONS: readonly string[] = [
  ...['rtmp://live.example.com/', 'rtmp://nowhere.invalid/', 'rtmp://backup.invalid/'],
  ...['sip:sip.example.com', 'sip:example.com'],
]
/** Start of the world’s clock. */
export const START_TIME = '2026-11-20T09:00:00.000Z'

let everyCallOverProtocol = false
/** Lets no world of this process skip the protocol: for a test that records every command of the SDK. */
export function useProtocolAlways(): void {
  everyCallOverProtocol = true
}

export const webinar = {
  version: 1,
  name: 'Launch webinar',
  duration: 20,
  recordings: [{ name: 'program', resolution: '1280x720' }, { name: 'speakers' }],
  broadcasts: [{ name: 'live', hls: {} }],
} satisfies ShowDocument

/**
 * Services on a platform and an AWS in this process, under a stepped clock that they all share. Nothing is canned: the
 * platform is the sandbox with media off, and AWS is the cloud of `npm start` with a small stack. Waits between the platform
 * client's attempts pass at once. While nothing intercepts calls to AWS, reads and writes of records skip its protocol, as in
 * the simulation: HTTP, XML and signatures would take half of the time. Tests of `lib/aws` set `overProtocol`.
 */
export function openWorld(changes: Environment = {}, versioning?: Versioning) {
  /** Bodies of the platform’s callbacks. */
  const posted: string[] = []
  const platform = openSandbox({
    callbackFetch: async (request) => {
      posted.push(await request.text())
      return new Response(null, { status: 204 })
    },
    uploadHandler: createInProcessHandler((request) =>
      interceptors.uploads(request, () => cloud.s3.fetch(request)),
    ) as never,
  })
  const clock: SteppedClock = platform.clock
  let count = 0
  const newId = () => `id-${++count}`
  const random = () => createHash('sha256').update(newId()).digest().readUInt32BE() / 2 ** 32

  /** Rotation functions of the secrets. Until a test sets them, it performs the steps itself. */
  const rotators: Record<'upload' | 'project', (event: unknown) => Promise<unknown>> = {
    upload: byHand,
    project: byHand,
  }
  /** What the publish machine's tasks do, of which it has one unless `publishIn` gives it its own; the show machine only waits. */
  const machines = { publish: async (_input: unknown, _functionArn: string): Promise<unknown> => ({}) }
  /** Events of the schedules’ target. */
  const due: unknown[] = []
  const { apiKey, apiSecret, accountKey, accountSecret } = platform
  const template = templateOf(
    {
      project: { apiKey, apiSecret },
      account: { apiKey: accountKey, apiSecret: accountSecret },
      callbacks: { secret: CALLBACK_SECRET },
      'callback-key': { secret: CALLBACK_KEY },
      watch: { secret: WATCH_SECRET },
      'platform-callbacks': { all: RECEIVER_SECRET },
    },
    versioning,
  )
  const cloud = wireCloud({
    assembly: assemblyOf(template),
    parameters: {},
    apiUrl: 'http://api.invalid',
    clock,
    random,
    randomHex: (digits) => createHash('sha256').update(newId()).digest('hex').slice(0, digits),
    async invoke({ logicalId, arn }, event) {
      if (logicalId === START_SHOW) return due.push(event)
      if (logicalId === ROTATORS.upload) return rotators.upload(event)
      if (logicalId === ROTATORS.project) return rotators.project(event)
      return machines.publish(event, arn)
    },
  })
  cloud.start()
  const { s3, secrets, keys, scheduler, credentials, events, stepFunctions: states } = cloud
  serviceKeys.add(credentials.accessKeyId)
  const output = (name: string) => cloud.stack.outputs[name] ?? ''
  const firstKey = { accessKeyId: output('KeyId'), secretAccessKey: output('KeySecret') }
  const secretArns = { upload: output('upload'), project: output('project') }

  const ownerEvents: BusEvent[] = []
  const platformEvents: BusEvent[] = []
  const received: BusEvent[] = []
  const replays: BusEvent[] = []
  const follow = (source: string, seen: BusEvent[]) =>
    events.addRule({ bus: OWN_BUS, pattern: { source: [source] }, deliver: (event) => seen.push(event) })
  follow('showrunner.received', received)
  follow('showrunner', ownerEvents)
  follow('showrunner.replay', replays)
  follow('showrunner.platform', platformEvents)

  /** What a call sets off in the world is not done by whoever made the call. */
  const outside = AsyncLocalStorage.snapshot()
  const interceptors = { platform: passing, aws: passing, uploads: passing }
  const calls: string[] = []
  const aws = (request: Request) => outside(() => interceptors.aws(request, () => cloud.aws(request)))
  const fetchPlatform = (async (...given: ConstructorParameters<typeof Request>) => {
    const request = new Request(...given)
    calls.push(`${request.method} ${new URL(request.url).pathname.replace(`/v2/project/${apiKey}`, '')}`)
    return outside(() => interceptors.platform(request, () => platform.sandbox.fetch(request)))
  }) as typeof globalThis.fetch

  const environment = { ...environmentOf(output), ...changes }
  const transport: ServiceDependencies = {
    clock: { ...clock, sleep: async () => {} },
    random,
    fetch: fetchPlatform,
    aws: {
      endpoint: 'http://127.0.0.1',
      region: 'us-east-1',
      credentials,
      maxAttempts: 1,
      requestHandler: createInProcessHandler(aws) as NonNullable<S3ClientConfig['requestHandler']>,
    },
    prepare(client) {
      signByClock(client, clock)
      callDirectly(client as unknown as SendingClient, cloud, async (_name, act) => {
        const isDirect = interceptors.aws === passing && !everyCallOverProtocol
        const value = isDirect ? await outside(act) : undefined
        return value ? { value } : { passed: { fault: undefined } }
      })
    },
  }
  const made = createServices(environment, transport)
  worldsOf.set(made, (variables) => createServices(pick(environment, variables), transport))

  return {
    clock,
    platform,
    services: made,
    /** Opens a signed link to the bucket, as a browser does. */
    openLink: (url: string) => s3.fetch(new Request(url)),
    /** The store of Secrets Manager. */
    secrets,
    /** ARNs of the secrets that can be rotated. */
    secretArns,
    rotators,
    /** Starts a rotation and returns its pending version. */
    async beginRotation(name: 'upload' | 'project'): Promise<string> {
      const SecretId = secretArns[name]
      const request = { SecretId, ClientRequestToken: newId() }
      return (await callSecrets(secrets, 'RotateSecret', request)).VersionId as string
    },
    /** Returns the value of a secret’s staging label; undefined without a value. */
    async valueOf(name: 'upload' | 'project', VersionStage = 'AWSCURRENT'): Promise<unknown> {
      const SecretId = secretArns[name]
      const { SecretString } = await callSecrets(secrets, 'GetSecretValue', { SecretId, VersionStage })
      return SecretString === undefined ? undefined : JSON.parse(SecretString as string)
    },
    /** Keys of the user as whom the platform uploads: ids and statuses, in the order they were made. */
    uploadKeys: () => keys.list(UPLOADER).map(({ accessKeyId, status }) => ({ accessKeyId, status })),
    /** The first key of the upload user. */
    firstKey,
    /** Deletes the policy of the platform’s upload user, as the deletion of a stack does. */
    deleteUploaderPolicy() {
      const resources: Partial<typeof template.Resources> = template.Resources
      delete resources.Uploads
    },
    /** The state machines that `showExecutions` and `publishExecutions` start. */
    states,
    machines,
    /** The schedules of shows, in the group `shows`; what they called their target with is in `due`. */
    scheduler,
    due,
    /** Showrunner's events, in order. */
    ownerEvents,
    /** Events of the platform’s callbacks, in order. */
    platformEvents,
    /** Callbacks of the platform that wait to be handled, in order. */
    received,
    /** Owner events that are delivered again, in order. */
    replays,
    posted,
    /** Calls that the services made to the platform, as `METHOD /path`, without the project. */
    calls,
    interceptors,
    /** Returns the time in ISO 8601. */
    now: () => new Date(clock.now()).toISOString(),
    /** Records a show, as the API does. */
    async accept(document: ShowDocument = webinar, showId = 'a-show') {
      const show = showSchema.parse(document)
      await made.records.acceptShow({ version: 1, showId, acceptedAt: new Date(clock.now()).toISOString(), show })
      return { showId, show }
    },
    /** Points the platform's uploads at a bucket, by default at the services' own. */
    aimUploads: (bucket = BUCKET, fallback: 'opentok' | 'none' = 'opentok') =>
      platform.call('setUploadTarget', {
        type: 's3',
        config: {
          accessKey: credentials.accessKeyId,
          secretKey: credentials.secretAccessKey,
          bucket,
          endpoint: 'http://127.0.0.1',
        },
        fallback,
      }),
    /** Makes a secret that shows can refer to by this name and the keys of its value, and binds each key. */
    keepShowSecret(name: string, value: Readonly<Record<string, string>>, destinations = SECRET_DESTINATIONS) {
      const bound = Object.keys(value).map((key) => [`${key}.for`, destinations])
      secrets.create(SHOW_SECRETS + name, () => JSON.stringify({ ...value, ...Object.fromEntries(bound) }))
    },
    createBucket: (name: string) => s3.createBucket(name),
    /** From now on the services' bucket keeps versions of its objects. */
    keepVersions: () => s3.createBucket(BUCKET, 'Enabled'),
    async close() {
      await cloud.close()
      await platform.sandbox.close()
    },
  }
}

/** Ids of the keys with which services of worlds sign their requests to AWS. */
export const serviceKeys = new Set<string>()

const worldsOf = new WeakMap<Services, (variables: readonly Variable[]) => Services>()

/** Services of the same world as a function has them that was given just these variables; none for those made by a test. */
export const servicesOfFunction = (services: Services, variables: readonly Variable[]): Services | undefined =>
  worldsOf.get(services)?.(variables)

const pick = (environment: Environment, variables: readonly Variable[]): Environment =>
  Object.fromEntries(variables.map((name) => [name, environment[name]]))

const byHand = async () => {
  throw new Error('The test does the steps itself.')
}

export async function callSecrets(
  secrets: SecretsManager,
  operation: string,
  input: object,
): Promise<Record<string, unknown>> {
  const headers = { 'x-amz-target': `secretsmanager.${operation}`, 'content-type': 'application/x-amz-json-1.1' }
  const request = new Request('http://127.0.0.1', { method: 'POST', headers, body: JSON.stringify(input) })
  return (await (await secrets.fetch(request)).json()) as Record<string, unknown>
}

export type World = ReturnType<typeof openWorld>

type Handler = (event: never, context: Context) => unknown

interface OnServices {
  readonly on: (services: Services) => Handler
}

/** Handlers that wait for their next invocation, as warm environments of functions do. */
const idle = new WeakMap<Services, Map<OnServices, Handler>>()

/** Runs a handler as Lambda does: one invocation at a time in each environment. Event and result are copied as JSON. */
export async function invoke(module: OnServices, services: Services, event: unknown): Promise<unknown> {
  const handlers = idle.get(services) ?? new Map<OnServices, Handler>()
  idle.set(services, handlers)
  const handler = handlers.get(module) ?? module.on(services)
  handlers.delete(module)
  const context = { awsRequestId: 'request-1' } as Context
  const result = await Promise.resolve(handler(JSON.parse(JSON.stringify(event)) as never, context)).finally(() =>
    handlers.set(module, handler),
  )
  return result === undefined ? undefined : JSON.parse(JSON.stringify(result))
}
