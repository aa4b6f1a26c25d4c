import { keys } from '../../../lib/show/state/keys.ts'
import type { ShowRequest } from '../../../lib/show/state/request.ts'
import type { ShowResult } from '../../../lib/show/state/result.ts'
import type { ShowState } from '../../../lib/show/state/state.ts'
import type { BusEvent } from '../../cloud/events/events.ts'
import type { ExecutionDescription } from '../../cloud/states/execution/execution-description.ts'
import type { HistoryEvent } from '../../cloud/states/execution/history.ts'
import type { Callback } from '../environment/app.ts'
import type { Seen } from '../environment/resources.ts'
import type { Secret } from '../environment/secret-search.ts'
import type { Struck } from '../faults/counting.ts'
import type { World } from '../world.ts'
import { readKeptSecrets } from './kept-secrets.ts'
import { type MessageEvidence, readMessages } from './left-messages.ts'
import { type ObjectEvidence, readObjects } from './stored-objects.ts'

/** What anybody can see from outside of how shows went, gathered when the world has come to rest. */
export interface Evidence {
  readonly shows: readonly ShowEvidence[]
  /** Every status of every resource of the platform, in order. */
  readonly seen: readonly Seen[]
  /** The platform's records of its archives, by id. */
  readonly archives: ReadonlyMap<string, ArchiveEvidence>
  /** What lies in the bucket, by key. */
  readonly objects: ReadonlyMap<string, ObjectEvidence>
  /** What lay there before, and is kept as a version. */
  readonly formerObjects: readonly { readonly key: string; readonly text: string }[]
  readonly executions: readonly ExecutionEvidence[]
  /** On the bus, from Showrunner. */
  readonly events: readonly BusEvent[]
  /** On Showrunner's own bus: what the platform told. */
  readonly platformEvents: readonly BusEvent[]
  /** In the dead-letter queues. */
  readonly messages: readonly MessageEvidence[]
  readonly callbacks: readonly Callback[]
  readonly output: readonly string[]
  readonly trace: readonly string[]
  /** Calls that went wrong. */
  readonly struck: readonly Struck[]
  /** Every value that nobody may see, with a name that may be shown. */
  readonly secrets: readonly Secret[]
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

export interface ExecutionEvidence extends ExecutionDescription {
  readonly machine: string
  readonly history: readonly HistoryEvent[]
}

/** Gathers it; the platform must be up and its project active. */
export async function gatherEvidence(world: World, ownSecrets: readonly Secret[]): Promise<Evidence> {
  const { observer, resources, callbacks, output, trace, clock, faults, told, platform, cloud } = world
  const executions = executionsOf(world)
  const { archives, messages, kept, ...stored } = await world.scheduler.drive(async () => ({
    ...(await readObjects(world)),
    archives: await readArchives(observer),
    messages: await readMessages(world),
    kept: await readKeptSecrets(world),
  }))
  const secrets = [
    ...kept,
    ...ownSecrets,
    ...world.handedOut.all,
    { name: 'the account’s secret', value: platform.sandbox.account.accountSecret },
    { name: 'the deployer’s key', value: cloud.credentials.secretAccessKey },
  ]
  return {
    shows: showsOf(executions, stored.objects),
    seen: resources.seen,
    archives,
    ...stored,
    executions,
    events: told,
    platformEvents: world.toldOfPlatform,
    messages,
    callbacks,
    output,
    trace: trace.lines,
    struck: faults.struck,
    secrets,
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

async function readArchives(observer: World['observer']): Promise<Map<string, ArchiveEvidence>> {
  const platform = await observer.platform()
  const archives = await Array.fromAsync(platform.each.listArchives())
  return new Map(archives.map(({ id, status, size, sha256sum }) => [id, { status, size, sha256sum }]))
}
