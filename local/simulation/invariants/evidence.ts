import { keys } from '../../../lib/show/state/keys.ts'
import type { ShowRequest } from '../../../lib/show/state/request.ts'
import type { ShowResult } from '../../../lib/show/state/result.ts'
import type { ShowState } from '../../../lib/show/state/state.ts'
import type { ExecutionDescription } from '../../cloud/states/execution/execution-description.ts'
import type { HistoryEvent } from '../../cloud/states/execution/history.ts'
import type { StackState } from '../deploying/stack-state.ts'
import { verifyEvents } from '../environment/app/verify-events.ts'
import { showIdOf } from '../environment/direct-starts.ts'
import type { SearchedSecret } from '../environment/secret-search.ts'
import type { TraceEntry } from '../trace.ts'
import type { World } from '../world.ts'
import { secretsOf } from './callbacks/callback-secrets.ts'
import { readDeadLetters } from './dead-letters.ts'
import { readUsage } from './recorded-usage.ts'
import { type ObjectEvidence, readObjects } from './stored-objects.ts'
import { readStoredSecrets } from './stored-secrets.ts'
import { requestIn } from './visits/recorded-documents.ts'

/** Everything that can be observed from outside after the shows, when the world is at rest. */
export type Evidence = Awaited<ReturnType<typeof gatherEvidence>>

const MAX_SCHEDULES = 10_000

/** A show that an execution ran, with its documents in the bucket. */
export interface ShowEvidence {
  readonly showId: string
  readonly request: ShowRequest | undefined
  readonly state: ShowState | undefined
  readonly result: ShowResult | undefined
  /** Start of its first execution, in milliseconds since the epoch. */
  readonly startedAt: number
}

export interface ArchiveEvidence {
  readonly status: string
  readonly size: number
  /** SHA-256 in base64. */
  readonly sha256sum: string | null | undefined
}

export interface ExecutionEvidence extends ExecutionDescription {
  readonly machine: string
  readonly history: readonly HistoryEvent[]
}

/** Gathers the evidence. The platform must be up and its project active. */
export async function gatherEvidence(world: World, ownSecrets: readonly SearchedSecret[]) {
  const { observer, resources, callbacks, output, trace, clock, faults, events, platform, cloud } = world
  const executions = executionsOf(world)
  const { archives, messages, kept, callbackKeys, usage, stackState, ...stored } = await world.scheduler.drive(
    async () => ({
      ...(await readObjects(world)),
      callbackKeys: await world.publishedKeys.read(),
      usage: await readUsage(world),
      archives: await readArchives(observer),
      messages: await readDeadLetters(world),
      kept: await readStoredSecrets(world),
      stackState: await world.stack.state(),
    }),
  )
  const secrets = [
    ...kept,
    ...ownSecrets,
    ...world.handedOut.all,
    { name: 'the account’s secret', value: platform.sandbox.account.accountSecret },
    { name: 'the deployer’s key', value: cloud.credentials.secretAccessKey },
  ]
  const shows = showsOf(executions, stored.objects)
  const verifiedEvents = await world.scheduler.drive(() =>
    verifyEvents(callbacks, {
      keys: callbackKeys,
      secretsOf: (callback) => secretsOf(callback, { shows, secrets, objects: stored.objects }),
    }),
  )
  return {
    shows,
    /** Events that the app verified with the function of the package. */
    verifiedEvents,
    /** Every status of every resource of the platform, in order. */
    statusChanges: resources.changes,
    /** The platform's records of its archives, by id. */
    archives,
    /** The files that the platform recorded, by the ids of their archives. */
    files: platform.files,
    ...stored,
    executions,
    events,
    platformEvents: world.platformEvents,
    postedCallbacks: world.postedCallbacks,
    /** False for a deployment that does not query Insights, and so records no usage. */
    hasInsights: world.observer.variable('INSIGHTS_URL') !== 'none',
    /** Messages in the dead-letter queues. */
    messages,
    callbacks,
    publishers: world.publishers,
    /** The keys by which an app verifies callbacks: those that are published, and those that were before a rotation. */
    callbackKeys,
    /** Recorded usage, with the minutes that Insights report for its time. */
    usage,
    output,
    trace: trace.entries,
    failedCalls: faults.failedCalls,
    /** Steps of the deployment and the removal of the stack, if the seed has them. */
    stackSteps: world.stack.steps,
    /** The credentials of the stack at the end; undefined where they are not observed. */
    stackState: stackState as StackState | undefined,
    /** The trace of the removal, of which nothing else in this evidence is. */
    removalTrace: [] as readonly TraceEntry[],
    /** Access keys of the upload user that were deactivated or deleted, in order. */
    keyChanges: world.keyChanges,
    /** Every secret, with a name that may be shown. */
    secrets,
    /** Every layout that the platform drew, in order. */
    layouts: platform.layouts,
    /** Every choice of streams that the platform took, in order. */
    choices: platform.choices,
    /** Requests of the event app to the API, with their answers. */
    apiRequests: world.apiRequests,
    /** Visits of the API, watch pages and files, with their answers. */
    visits: [...world.visitor.visits, ...world.guests.visits],
    /** Attempts of guests to join by an invitation. */
    joins: world.guests.joins,
    /** Functions that did not run, with the reason. */
    leftOut: world.leftOut,
    maxPublishes: world.maxPublishes,
    callsPerSecond: world.callsPerSecond,
    /** Names of the schedules that exist at the end. */
    schedules: cloud.scheduler.list({ MaxResults: MAX_SCHEDULES }).schedules.map(({ name }) => name),
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

/** Finds the shows by the executions of the show machine, whose input or name gives the show’s id. */
function showsOf(
  executions: readonly ExecutionEvidence[],
  objects: ReadonlyMap<string, ObjectEvidence>,
): ShowEvidence[] {
  const started = new Map<string, number>()
  for (const { machine, name, input, startDate } of executions) {
    if (machine !== 'show') continue
    const { showId = showIdOf(name) } = JSON.parse(input) as { showId?: string }
    if (!started.has(showId)) started.set(showId, startDate.getTime())
  }
  const read = <Document>(key: string) => {
    const text = objects.get(key)?.text
    return text === undefined ? undefined : (JSON.parse(text) as Document)
  }
  return [...started].map(([showId, startedAt]) => ({
    showId,
    startedAt,
    request: requestIn(objects, showId),
    state: read<ShowState>(keys.state(showId)),
    result: read<ShowResult>(keys.result(showId)),
  }))
}

async function readArchives(observer: World['observer']): Promise<Map<string, ArchiveEvidence>> {
  const platform = await observer.platform()
  const archives = await Array.fromAsync(platform.each.listArchives())
  return new Map(archives.map(({ id, status, size, sha256sum }) => [id, { status, size, sha256sum }]))
}
