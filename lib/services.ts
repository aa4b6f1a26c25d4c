import { randomUUID } from 'node:crypto'
import { EventBridgeClient } from '@aws-sdk/client-eventbridge'
import { IAMClient } from '@aws-sdk/client-iam'
import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3'
import { SchedulerClient } from '@aws-sdk/client-scheduler'
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { SFNClient } from '@aws-sdk/client-sfn'
import { type AccessKeys, createAccessKeys, type UploadKey } from './aws/access-keys.ts'
import { createEvents, type Events } from './aws/bus.ts'
import { createDownload, type Download } from './aws/download.ts'
import { createExecutionHistories, type ExecutionHistories } from './aws/execution-histories.ts'
import { createExecutions, type Executions } from './aws/executions.ts'
import { createPublicFetch } from './aws/public-fetch.ts'
import { createSchedules, type Schedules } from './aws/schedules.ts'
import { createRotation, type Rotation } from './aws/secret-rotation.ts'
import { createSecretValues, type SecretValues } from './aws/secret-values.ts'
import { createSecrets, type Secrets } from './aws/secrets.ts'
import { createShowSecrets, type ShowSecrets } from './aws/show-secrets.ts'
import { createStackAnswers, type StackAnswers } from './aws/stack-answers.ts'
import { createDocumentCache, type DocumentCache } from './aws/storage/document-cache.ts'
import { createStorage, type Storage } from './aws/storage/storage.ts'
import { type Clock, realClock } from './clock.ts'
import { createInvitations, type Invitations } from './operations/invitations.ts'
import { type CallbackKeys, createCallbackKeys } from './operations/notifications/callback-keys.ts'
import { createOwnerCallbacks, type OwnerCallbacks } from './operations/notifications/owner-callbacks.ts'
import { createPlatformCallbacks, type PlatformCallbacks } from './operations/platform-callbacks/platform-callbacks.ts'
import { createPlatformEvents, type PlatformEvents } from './operations/platform-callbacks/platform-event-bus.ts'
import { createAccountClient } from './operations/platform-project/account-client.ts'
import { createLeftOutValues, type LeftOutValues } from './operations/platform-project/left-out-values.ts'
import {
  createProjectClient,
  type PlatformSecret,
  type ProjectClient,
} from './operations/platform-project/project-client.ts'
import { createPlatformClient, type PlatformClient } from './platform/client/client.ts'
import type { WithMedia } from './publish/media-functions.ts'
import { createWatchLinks, type WatchLinks } from './publish/watch-links.ts'
import { createObservations, type Observations } from './records/observations.ts'
import { createRateLimiter } from './records/rate-limiter.ts'
import { createRecords, type Records } from './records/records.ts'
import { createRotationLock, type RotationLock } from './records/rotation-lock.ts'
import { createShows, type Shows } from './records/shows.ts'
import { createUsageRecords, type UsageRecords } from './records/usage-records.ts'
import type { Environment, Variable } from './tasks/environment.ts'
import { TaskConfigError } from './tasks/errors.ts'
import type { TaskInput, TaskName, TaskOutput } from './tasks/tasks.ts'

/** Connects the services to the world: the defaults are for AWS and local use, and the simulation replaces them. */
export interface ServiceDependencies extends WithMedia {
  readonly clock: Clock
  /** Returns a number from 0 to 1, like `Math.random`. */
  readonly random: () => number
  /** Returns a new UUID. @default `crypto.randomUUID` */
  readonly newId?: () => string
  readonly fetch: typeof globalThis.fetch
  /** Settings for every AWS client, such as a request handler. */
  readonly aws: Partial<Pick<S3ClientConfig, 'requestHandler' | 'maxAttempts' | 'endpoint' | 'region' | 'credentials'>>
  /** Parsed documents. @default a cache for each storage */
  readonly documents?: DocumentCache
  /** Is called with every AWS client before its first call: the simulation makes it sign with the injected clock. */
  readonly prepare?: (client: { config: { systemClockOffset: number } }) => void
}

/** The services that tasks use. Each is made when it is first read, and only then needs its environment variables. */
export interface Services extends WithMedia {
  readonly clock: Clock
  readonly random: () => number
  readonly newId: () => string
  readonly storage: Storage
  readonly records: Records
  readonly shows: Shows
  readonly observations: Observations
  readonly secrets: Secrets
  /** Removes the values of secrets from log lines. */
  readonly secretValues: SecretValues
  /** Unreadable values that the client left out of the platform's answers. */
  readonly leftOutValues: LeftOutValues
  readonly showSecrets: ShowSecrets
  readonly events: Events
  readonly callbacks: OwnerCallbacks
  readonly callbackKeys: CallbackKeys
  readonly showExecutions: Executions
  readonly publishExecutions: Executions
  readonly executionHistories: ExecutionHistories
  readonly schedules: Schedules
  readonly platformCallbacks: PlatformCallbacks
  readonly platformEvents: PlatformEvents
  readonly usageRecords: UsageRecords
  readonly watchLinks: WatchLinks
  readonly invitations: Invitations
  readonly download: Download
  readonly rotationLock: RotationLock
  /** Access keys of the IAM user as which the platform uploads. */
  readonly accessKeys: AccessKeys
  readonly uploadKeyRotation: Rotation
  readonly projectSecretRotation: Rotation
  readonly stackAnswers: StackAnswers
  readonly project: ProjectClient
  /** Milliseconds since the epoch from which on calls of the platform fail. @default unlimited */
  readonly platformUntil?: number | undefined
  platform(): Promise<PlatformClient>
  /** Returns a client for the operations on projects only. */
  account(): Promise<PlatformClient>
  /** Returns a client of the project with these credentials. */
  platformAs(credentials: PlatformSecret): PlatformClient
  /** Returns the bucket as the owner of an access key may use it. */
  storageAs(key: UploadKey): Storage
  /** @throws {@link TaskConfigError} when the variable is not set */
  variable(name: Variable): string
}

/** The log of a task. */
export type TaskLog = Readonly<
  Record<'info' | 'warn' | 'error', (message: string, ...members: Record<string, unknown>[]) => void>
>

/** The use case that a task runs, with the services that it needs. */
export type TaskRun<Name extends TaskName, Needs extends keyof Services = keyof Services> = (
  services: Pick<Services, Needs>,
  input: TaskInput<Name>,
  log: TaskLog,
) => Promise<TaskOutput<Name>>

/** Milliseconds without a connection or traffic after which an AWS client gives up. A transfer that progresses has no limit. */
export const patience = { connectionTimeout: 3_000, socketTimeout: 10_000 } as const

/** Creates parsed documents that several services of one process share. @param max characters of all their texts */
export const createSharedDocuments = (max: number): DocumentCache => createDocumentCache(max)

/** Attempts of a call to Step Functions: while it throttles, the SDK waits for up to 15 s in all, with jitter. */
const START_ATTEMPTS = 6

const directly: ServiceDependencies = { clock: realClock, random: Math.random, fetch: globalThis.fetch, aws: {} }

export function createServices(environment: Environment, transport: ServiceDependencies = directly): Services {
  const { clock, random, newId = randomUUID, fetch, prepare, documents } = transport
  const aws = { requestHandler: patience, ...transport.aws }
  const variable = (name: Variable) => {
    const value = environment[name]
    if (!value) throw new TaskConfigError(`The environment variable ${name} is not set: redeploy the stack.`)
    return value
  }
  const prepared = <Client extends Parameters<NonNullable<typeof prepare>>[0]>(client: Client) => {
    prepare?.(client)
    return client
  }
  const secretValues = createSecretValues()
  const leftOutValues = createLeftOutValues()
  const clients = lazily({
    secretsManager: () => secretValues.watch(prepared(new SecretsManagerClient(aws))),
    stepFunctions: () => prepared(new SFNClient({ maxAttempts: START_ATTEMPTS, ...aws })),
  })
  const connection = () => {
    const [baseUrl, authHeader] = [variable('PLATFORM_URL'), variable('PLATFORM_AUTH_HEADER')]
    return { baseUrl, authHeader, clock, random, fetch, onLeftOut: leftOutValues.note }
  }
  const eager = {
    ...{ clock, random, newId, variable, secretValues, leftOutValues, media: transport.media },
    download: createDownload(fetch, clock),
    stackAnswers: createStackAnswers(fetch, localAwsUrl(transport)),
    platform: () => services.project.client(),
    account: () => createAccountClient(services.secrets, { ...connection(), secretId: variable('ACCOUNT_SECRET') }),
    platformAs: (credentials: PlatformSecret) => createPlatformClient({ ...connection(), ...credentials }),
    storageAs: (credentials: UploadKey) =>
      createStorage(prepared(new S3Client({ ...aws, credentials })), variable('BUCKET'), clock),
  }
  const lazy = lazily<Omit<Services, keyof typeof eager>>({
    storage: () => createStorage(prepared(new S3Client(aws)), variable('BUCKET'), clock, documents),
    records: () => createRecords(services.storage),
    shows: () => createShows({ records: services.records, events: () => services.events, clock }),
    observations: () => createObservations(services.storage, clock),
    secrets: () => createSecrets(clients.secretsManager),
    showSecrets: () => createShowSecrets(services.secrets, variable('SHOW_SECRETS')),
    events: () => createEvents(prepared(new EventBridgeClient(aws)), variable('EVENT_BUS'), variable('STAGE')),
    callbacks: () =>
      createOwnerCallbacks({
        secrets: services.secrets,
        secretId: variable('CALLBACK_SECRET'),
        keys: services.callbackKeys,
        showSecrets: { resolve: (...reference) => services.showSecrets.resolve(...reference) },
        clock,
        fetch: variable('CALLBACK_REACH') === 'anywhere' ? fetch : createPublicFetch(),
      }),
    callbackKeys: () => createCallbackKeys({ secrets: services.secrets, secretId: variable('CALLBACK_KEY'), clock }),
    showExecutions: () => createExecutions(clients.stepFunctions, variable('SHOW_MACHINE')),
    executionHistories: () => createExecutionHistories(clients.stepFunctions, variable('SHOW_MACHINE')),
    publishExecutions: () => createExecutions(clients.stepFunctions, variable('PUBLISH_MACHINE')),
    schedules: () => {
      const [group, role, target] = [variable('SCHEDULE_GROUP'), variable('SCHEDULE_ROLE'), variable('SCHEDULE_TARGET')]
      const deadLetters = variable('SCHEDULE_DEAD_LETTERS')
      return createSchedules(prepared(new SchedulerClient(aws)), { group, role, target, deadLetters })
    },
    platformCallbacks: () => createPlatformCallbacks(services.secrets, variable('PLATFORM_CALLBACKS'), clock),
    platformEvents: () => createPlatformEvents(prepared(new EventBridgeClient(aws)), variable('EVENT_BUS')),
    usageRecords: () => createUsageRecords(services.storage),
    watchLinks: () => createWatchLinks(services.secrets, variable('WATCH_SECRET'), clock),
    invitations: () => createInvitations(services.watchLinks.signer, clock),
    rotationLock: () => createRotationLock(services.storage, clock),
    accessKeys: () => createAccessKeys(prepared(new IAMClient(aws)), variable('UPLOAD_USER')),
    uploadKeyRotation: () => createRotation(clients.secretsManager, variable('UPLOAD_SECRET'), newId),
    projectSecretRotation: () => createRotation(clients.secretsManager, variable('PLATFORM_SECRET'), newId),
    project: () => {
      const insightsUrl = environment.INSIGHTS_URL // only functions that query Insights have it
      const insights = insightsUrl && insightsUrl !== 'none' ? { insightsUrl } : {}
      return createProjectClient(services.secrets, {
        ...connection(),
        ...insights,
        secretId: variable('PLATFORM_SECRET'),
        rateLimiter: createRateLimiter({
          ...{ clock, random },
          storage: () => services.storage,
          callsPerSecond: () => Number(variable('PLATFORM_CALLS_PER_SECOND')),
        }),
      })
    },
  })
  const services: Services = Object.assign(lazy, eager)
  return services
}

/** Returns the endpoint of local AWS clients. The SDK's own variable is set locally only. */
function localAwsUrl({ aws: { endpoint } }: ServiceDependencies): string | undefined {
  return typeof endpoint === 'string' ? endpoint : process.env.AWS_ENDPOINT_URL
}

/** Returns an object whose members are made when they are first read. */
function lazily<T extends object>(makers: { readonly [Name in keyof T]: () => T[Name] }): T {
  const made = {} as T
  for (const name of Object.keys(makers) as (keyof T)[])
    Object.defineProperty(made, name, {
      configurable: true,
      enumerable: true,
      get() {
        const value = makers[name]()
        Object.defineProperty(made, name, { value, enumerable: true })
        return value
      },
    })
  return made
}
