import { createHash } from 'node:crypto'
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import type { ShowRequest } from '../../../lib/workflow/documents/request.ts'
import type { ShowResult } from '../../../lib/workflow/documents/result.ts'
import type { ShowState } from '../../../lib/workflow/documents/state.ts'
import type { Environment } from '../../../lib/workflow/environment.ts'
import { keys, parseArchiveKey } from '../../../lib/workflow/keys.ts'
import type { BusEvent } from '../../cloud/events.ts'
import { signByClock } from '../../cloud/in-process-handler.ts'
import type { ExecutionDescription } from '../../cloud/states/execution-description.ts'
import type { HistoryEvent } from '../../cloud/states/history.ts'
import type { Callback } from '../app.ts'
import type { Struck } from '../faults/counting.ts'
import type { Seen } from '../resources.ts'
import { awsSettings } from '../services.ts'
import type { World } from '../world.ts'

/** What anybody can see from outside of how shows went, gathered when the world has come to rest. */
export interface Evidence {
  readonly shows: readonly ShowEvidence[]
  /** Every status of every resource of the platform, in order. */
  readonly seen: readonly Seen[]
  /** The platform's records of its archives, by id. */
  readonly archives: ReadonlyMap<string, ArchiveEvidence>
  /** What lies in the bucket, by key. */
  readonly objects: ReadonlyMap<string, ObjectEvidence>
  readonly executions: readonly ExecutionEvidence[]
  /** On the bus, from Showrunner. */
  readonly events: readonly BusEvent[]
  readonly callbacks: readonly Callback[]
  readonly output: readonly string[]
  readonly trace: readonly string[]
  /** Calls that went wrong. */
  readonly struck: readonly Struck[]
  /** Every value that nobody may see, with a name that may be shown. */
  readonly secrets: readonly { readonly name: string; readonly value: string }[]
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** A show that an execution has run, with its documents as they lie in the bucket. */
export interface ShowEvidence {
  readonly showId: string
  readonly request: ShowRequest | undefined
  readonly state: ShowState | undefined
  readonly result: ShowResult | undefined
  /** When its first execution began; milliseconds since the epoch. */
  readonly begunAt: number
}

export interface ArchiveEvidence {
  readonly status: string
  readonly size: number
  /** In base64. */
  readonly sha256sum: string | null | undefined
}

export interface ObjectEvidence {
  readonly text: string
  readonly size: number
  /** In base64. */
  readonly sha256: string
}

export interface ExecutionEvidence extends ExecutionDescription {
  readonly machine: string
  readonly history: readonly HistoryEvent[]
}

/** Gathers it; the platform must be up and its project active. */
export async function gatherEvidence(world: World, ownSecrets: Evidence['secrets']): Promise<Evidence> {
  const { observer, resources, callbacks, output, trace, clock, faults, told } = world
  const executions = executionsOf(world)
  const { objects, archives, secrets } = await world.scheduler.drive(async () => ({
    objects: await readObjects(world),
    archives: await readArchives(observer),
    secrets: await readSecrets(world),
  }))
  return {
    shows: showsOf(executions, objects),
    seen: resources.seen,
    archives,
    objects,
    executions,
    events: told,
    callbacks,
    output,
    trace: trace.lines,
    struck: faults.struck,
    secrets: [...secrets, ...ownSecrets],
    now: clock.now(),
  }
}

function executionsOf({ executions, cloud }: World): ExecutionEvidence[] {
  return executions.all.map(({ executionArn, machine }) => ({
    ...cloud.stepFunctions.describeExecution({ executionArn }),
    machine,
    history: cloud.stepFunctions.executionHistory({ executionArn }),
  }))
}

/** Executions of the show machine are given a recorded show's id, or bear it as their name. */
function showsOf(executions: readonly ExecutionEvidence[], objects: Evidence['objects']): ShowEvidence[] {
  const begun = new Map<string, number>()
  for (const { machine, name, input, startDate } of executions) {
    if (machine !== 'show') continue
    const { showId = name } = JSON.parse(input) as { showId?: string }
    if (!begun.has(showId)) begun.set(showId, startDate.getTime())
  }
  const read = <Document>(key: string) => {
    const text = objects.get(key)?.text
    return text === undefined ? undefined : (JSON.parse(text) as Document)
  }
  return [...begun].map(([showId, begunAt]) => ({
    showId,
    begunAt,
    request: read<ShowRequest>(keys.request(showId)),
    state: read<ShowState>(keys.state(showId)),
    result: read<ShowResult>(keys.result(showId)),
  }))
}

async function readObjects({ cloud, clock, observer: { storage } }: World): Promise<Map<string, ObjectEvidence>> {
  const s3 = new S3Client(awsSettings(cloud.aws, cloud.credentials))
  signByClock(s3, clock)
  const objects = new Map<string, ObjectEvidence>()
  for (let after: string | undefined; ; ) {
    const page = await storage.list('', { limit: 1_000, ...(after !== undefined && { after }) })
    for (const key of page.keys) {
      const answer = await s3.send(new GetObjectCommand({ Bucket: storage.bucket, Key: key }))
      const bytes = (await answer.Body?.transformToByteArray()) ?? new Uint8Array()
      const sha256 = createHash('sha256').update(bytes).digest('base64')
      // An archive of the simulation is nothing that could be read.
      objects.set(key, { text: parseArchiveKey(key) ? '' : Buffer.from(bytes).toString(), size: bytes.length, sha256 })
    }
    after = page.keys.at(-1)
    if (!page.more || after === undefined) return objects
  }
}

async function readArchives(observer: World['observer']): Promise<Map<string, ArchiveEvidence>> {
  const platform = await observer.platform()
  const archives = await Array.fromAsync(platform.each.listArchives())
  return new Map(archives.map(({ id, status, size, sha256sum }) => [id, { status, size, sha256sum }]))
}

/** Fields that say whose a secret is, which anybody may know. */
const NAMES: ReadonlySet<string> = new Set(['apiKey', 'accessKeyId'])

/** What the deployment itself keeps secret. */
async function readSecrets({ cloud, clock, platform }: World): Promise<Evidence['secrets']> {
  const client = new SecretsManagerClient(awsSettings(cloud.aws, cloud.credentials))
  signByClock(client, clock)
  const variables = cloud.functions.flatMap(({ environment }) => Object.entries(environment))
  const ids = new Map(variables.filter(([name]) => /^[A-Z]+_SECRET$/.test(name)) as [keyof Environment, string][])
  const kept = [...ids].map(async ([name, SecretId]) => {
    const { SecretString: text = '{}' } = await client.send(new GetSecretValueCommand({ SecretId }))
    const fields = Object.entries(JSON.parse(text) as Record<string, string>)
    return fields.filter(([field]) => !NAMES.has(field)).map(([field, value]) => ({ name: `${name} ${field}`, value }))
  })
  const { account } = platform.sandbox
  return [
    ...(await Promise.all(kept)).flat(),
    { name: 'the account’s secret', value: account.accountSecret },
    { name: 'the deployer’s key', value: cloud.credentials.secretAccessKey },
  ]
}
