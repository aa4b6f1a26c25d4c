import { EventBridgeClient } from '@aws-sdk/client-eventbridge'
import { IAMClient } from '@aws-sdk/client-iam'
import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3'
import { SchedulerClient } from '@aws-sdk/client-scheduler'
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { SFNClient } from '@aws-sdk/client-sfn'
import { type AccessKeys, createAccessKeys, type UploadKey } from './aws/access-keys.ts'
import { createDownload, type Download } from './aws/download.ts'
import { createExecutions, type Executions } from './aws/executions.ts'
import { createEvents, type Events } from './aws/owner-event-bus.ts'
import { createPublicFetch } from './aws/public-fetch.ts'
import { createSchedules, type Schedules } from './aws/schedules.ts'
import { createRotation, type Rotation } from './aws/secret-rotation.ts'
import { createSecretValues, type SecretValues } from './aws/secret-values.ts'
import { createSecrets, type Secrets } from './aws/secrets.ts'
import { createShowSecrets, type ShowSecrets } from './aws/show-secrets.ts'
import { createStackAnswers, type StackAnswers } from './aws/stack-answers.ts'
import { createStorage, type Storage } from './aws/storage/storage.ts'
import { type Clock, realClock } from './clock.ts'
import { type CallbackKeys, createCallbackKeys } from './operations/notifications/callback-keys.ts'
import { type Callbacks, createCallbacks } from './operations/notifications/owner-callbacks.ts'
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
import { createWatchLinks, type WatchLinks } from './publish/watch-links.ts'
import { createRecords, type Records } from './records/records.ts'
import { createRotationLock, type RotationLock } from './records/rotation-lock.ts'
import { createShows, type Shows } from './records/shows.ts'
import { createUsageRecords, type UsageRecords } from './records/usage-records.ts'
import type { Environment, Variable } from './tasks/environment.ts'
import { TaskConfigError } from './tasks/errors.ts'

/** How calls leave the function. AWS and the laptop use the defaults; the simulation puts itself in between. */
export interface Transport {
  readonly clock: Clock
  /** 0 to 1, as `Math.random`. */
  readonly random: () => number
  readonly fetch: typeof globalThis.fetch
  /** Settings for every AWS client, such as a request handler. */
  readonly aws: Partial<Pick<S3ClientConfig, 'requestHandler' | 'maxAttempts' | 'endpoint' | 'region' | 'credentials'>>
  /** Sees every AWS client before its first call: the simulation lets it sign by the clock. */
  readonly prepare?: (client: { config: { systemClockOffset: number } }) => void
}

/** What tasks reach. Each part is made when it is first used, and then needs its environment variables. */
export interface Services {
  readonly clock: Clock
  readonly random: () => number
  readonly storage: Storage
  readonly records: Records
  readonly shows: Shows
  readonly secrets: Secrets
  /** For whoever writes lines of a log. */
  readonly secretValues: SecretValues
  /** What the platform's answers hold that could not be read. */
  readonly leftOutValues: LeftOutValues
  readonly showSecrets: ShowSecrets
  readonly events: Events
  readonly callbacks: Callbacks
  readonly callbackKeys: CallbackKeys
  readonly showExecutions: Executions
  readonly publishExecutions: Executions
  readonly schedules: Schedules
  readonly platformCallbacks: PlatformCallbacks
  readonly platformEvents: PlatformEvents
  readonly usageRecords: UsageRecords
  readonly watchLinks: WatchLinks
  readonly download: Download
  readonly rotationLock: RotationLock
  /** Keys of the user as whom the platform uploads. */
  readonly accessKeys: AccessKeys
  readonly uploadKeyRotation: Rotation
  readonly projectSecretRotation: Rotation
  readonly stackAnswers: StackAnswers
  readonly project: ProjectClient
  /** The project's client. */
  platform(): Promise<PlatformClient>
  /** A client for the operations on projects; it can do nothing else. */
  account(): Promise<PlatformClient>
  /** A client of one project, by these credentials. */
  platformAs(credentials: PlatformSecret): PlatformClient
  /** The bucket as somebody else may use it. */
  storageAs(key: UploadKey): Storage
  /** @throws TaskConfigError when the variable is not set */
  variable(name: Variable): string
}

/**
 * Milliseconds after which an AWS client gives up a connection that does not come about, and one on which nothing comes or
 * goes. What flows may take as long as it likes: files do.
 */
export const patience = { connectionTimeout: 3_000, socketTimeout: 10_000 } as const

const directly: Transport = { clock: realClock, random: Math.random, fetch: globalThis.fetch, aws: {} }

export function createServices(environment: Environment, transport: Transport = directly): Services {
  const { clock, random, fetch, prepare } = transport
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
  const secretsManager = once(() => secretValues.watch(prepared(new SecretsManagerClient(aws))))
  const secrets = once(() => createSecrets(secretsManager()))
  const storage = once(() => createStorage(prepared(new S3Client(aws)), variable('BUCKET'), clock))
  const records = once(() => createRecords(storage()))
  const events = once(() =>
    createEvents(prepared(new EventBridgeClient(aws)), variable('EVENT_BUS'), variable('STAGE')),
  )
  const shows = once(() => createShows({ records: records(), events, clock }))
  const callbackKeys = once(() => createCallbackKeys({ secrets: secrets(), secretId: variable('CALLBACK_KEY'), clock }))
  const callbacks = once(() =>
    createCallbacks({
      secrets: secrets(),
      secretId: variable('CALLBACK_SECRET'),
      keys: callbackKeys(),
      showSecrets: { resolve: (...asked) => showSecrets().resolve(...asked) },
      clock,
      fetch: variable('CALLBACK_REACH') === 'anywhere' ? fetch : createPublicFetch(),
    }),
  )
  const stepFunctions = once(() => prepared(new SFNClient(aws)))
  const showExecutions = once(() => createExecutions(stepFunctions(), variable('SHOW_MACHINE')))
  const publishExecutions = once(() => createExecutions(stepFunctions(), variable('PUBLISH_MACHINE')))
  const schedules = once(() => {
    const [group, role, target] = [variable('SCHEDULE_GROUP'), variable('SCHEDULE_ROLE'), variable('SCHEDULE_TARGET')]
    const deadLetters = variable('SCHEDULE_DEAD_LETTERS')
    return createSchedules(prepared(new SchedulerClient(aws)), { group, role, target, deadLetters })
  })
  const platformCallbacks = once(() => createPlatformCallbacks(secrets(), variable('PLATFORM_CALLBACKS'), clock))
  const platformEvents = once(() => createPlatformEvents(prepared(new EventBridgeClient(aws)), variable('EVENT_BUS')))
  const usageRecords = once(() => createUsageRecords(storage()))
  const showSecrets = once(() => createShowSecrets(secrets(), variable('SHOW_SECRETS')))
  const watchLinks = once(() => createWatchLinks(secrets(), variable('WATCH_SECRET'), clock))
  const rotationLock = once(() => createRotationLock(storage(), clock))
  const accessKeys = once(() => createAccessKeys(prepared(new IAMClient(aws)), variable('UPLOAD_USER')))
  const uploadKeyRotation = once(() => createRotation(secretsManager(), variable('UPLOAD_SECRET')))
  const projectSecretRotation = once(() => createRotation(secretsManager(), variable('PLATFORM_SECRET')))
  const connection = () => {
    const [baseUrl, authHeader] = [variable('PLATFORM_URL'), variable('PLATFORM_AUTH_HEADER')]
    return { baseUrl, authHeader, clock, random, fetch, onLeftOut: leftOutValues.note }
  }
  const project = once(() => {
    const insightsUrl = environment.INSIGHTS_URL // of the functions that ask Insights
    const insights = insightsUrl && insightsUrl !== 'none' ? { insightsUrl } : {}
    return createProjectClient(secrets(), { ...connection(), ...insights, secretId: variable('PLATFORM_SECRET') })
  })

  return {
    clock,
    random,
    variable,
    secretValues,
    leftOutValues,
    download: createDownload(fetch),
    stackAnswers: createStackAnswers(fetch, localAwsUrl(transport)),
    platform: () => project().client(),
    account: () => createAccountClient(secrets(), { ...connection(), secretId: variable('ACCOUNT_SECRET') }),
    platformAs: (credentials) => createPlatformClient({ ...connection(), ...credentials }),
    storageAs: (credentials) =>
      createStorage(prepared(new S3Client({ ...aws, credentials })), variable('BUCKET'), clock),
    get rotationLock() {
      return rotationLock()
    },
    get accessKeys() {
      return accessKeys()
    },
    get uploadKeyRotation() {
      return uploadKeyRotation()
    },
    get projectSecretRotation() {
      return projectSecretRotation()
    },
    get project() {
      return project()
    },
    get storage() {
      return storage()
    },
    get records() {
      return records()
    },
    get shows() {
      return shows()
    },
    get secrets() {
      return secrets()
    },
    get showSecrets() {
      return showSecrets()
    },
    get events() {
      return events()
    },
    get callbacks() {
      return callbacks()
    },
    get callbackKeys() {
      return callbackKeys()
    },
    get showExecutions() {
      return showExecutions()
    },
    get publishExecutions() {
      return publishExecutions()
    },
    get platformCallbacks() {
      return platformCallbacks()
    },
    get platformEvents() {
      return platformEvents()
    },
    get watchLinks() {
      return watchLinks()
    },
    get usageRecords() {
      return usageRecords()
    },
    get schedules() {
      return schedules()
    },
  }
}

/** The SDK's own variable is set locally only. */
function localAwsUrl({ aws: { endpoint } }: Transport): string | undefined {
  return typeof endpoint === 'string' ? endpoint : process.env.AWS_ENDPOINT_URL
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
