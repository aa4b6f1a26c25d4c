import type { PlatformClient } from '../../../platform/client/client.ts'
import type { Services } from '../../../services.ts'
import { isLive, isRecording, mayBeLive, mayRecord } from '../../state/part-entries.ts'
import type { ShowState } from '../../state/state.ts'
import { allSettledLimited } from '../concurrency.ts'
import { isShown, type Observation } from '../observation.ts'
import { isAlreadyEnded } from '../platform-errors.ts'
import { withEntry } from '../resource-entries.ts'

export interface RunningResources {
  readonly state: ShowState
  readonly sessionId: string
  /** Undefined if the platform cannot be reached: then the resources that last ran are stopped. */
  readonly seen: Observation | undefined
}

/** The outcome of stopping: the number of stopped resources, and failures. Resources that had ended are neither. */
export interface Stops {
  readonly stopped: number
  readonly failures: readonly unknown[]
  /** True if none of the failures concerns an archive. */
  readonly areArchivesStopped: boolean
}

/** Stops every running archive, broadcast, scene and dial-in of a show. A failure does not hold up the others. */
export async function stopResources(
  { platform, shows }: Pick<Services, 'platform' | 'shows'>,
  { state, sessionId, seen }: RunningResources,
): Promise<Stops> {
  const client = await platform()
  const { archives, broadcasts, composers, calls } = running(state, seen)
  const stops = [
    ...archives.map((archiveId) => () => client.stopArchive({ archiveId })),
    ...broadcasts.map((broadcastId) => () => client.stopBroadcast({ broadcastId })),
    ...composers.map((composerId) => () => client.stopComposer({ composerId })),
    ...calls.map(
      ({ connectionId }) =>
        () =>
          hangUp(client, { sessionId, connectionId }),
    ),
  ]
  const outcomes = await allSettledLimited<unknown>(stops)
  const failureOf = (outcome: PromiseSettledResult<unknown> | undefined) =>
    outcome?.status === 'rejected' && !isAlreadyEnded(outcome.reason) ? [outcome.reason as unknown] : []

  const callOutcomes = outcomes.slice(outcomes.length - calls.length)
  const over = calls.filter((_, index) => failureOf(callOutcomes[index]).length === 0).map(({ name }) => name)
  if (over.length > 0) await noteEnded(shows, state.showId, over)
  return {
    stopped: outcomes.filter(({ status }) => status === 'fulfilled').length,
    failures: outcomes.flatMap(failureOf),
    areArchivesStopped: outcomes.slice(0, archives.length).flatMap(failureOf).length === 0,
  }
}

/** Repeats the request if the call is said to be over: an ended call is not observed again. */
const hangUp = (client: PlatformClient, call: { sessionId: string; connectionId: string }) =>
  client.forceDisconnect(call).catch((error: unknown) => {
    if (isAlreadyEnded(error)) return client.forceDisconnect(call)
    throw error
  })

/** Returns whether a resource of a show certainly runs, by an observation. */
export function isAnythingRunning(state: ShowState, { archives, broadcasts, ...seen }: Observation): boolean {
  const certain = { ...seen, archives: archives.filter(isRecording), broadcasts: broadcasts.filter(isLive) }
  return Object.values(running(state, certain)).some(({ length }) => length > 0)
}

/** Returns the ids of what runs. A call with the status `unknown` has no id. */
function running(state: ShowState, seen: Observation | undefined) {
  const ids = <One>(all: readonly One[], idOf: (one: One) => string | undefined) =>
    all.flatMap((one) => idOf(one) ?? [])
  const calls = state.dialIns.flatMap(({ name, connectionId, status }) =>
    connectionId && status !== 'ended' ? [{ name, connectionId }] : [],
  )
  if (!seen)
    return {
      archives: ids(state.recordings.filter(mayRecord), ({ archiveId }) => archiveId),
      broadcasts: ids(state.broadcasts.filter(mayBeLive), ({ broadcastId }) => broadcastId),
      composers: ids(state.scenes.filter(isShown), ({ composerId }) => composerId),
      calls,
    }
  return {
    archives: ids(seen.archives.filter(mayRecord), ({ id }) => id),
    broadcasts: ids(seen.broadcasts.filter(mayBeLive), ({ id }) => id),
    composers: ids(seen.composers.filter(isShown), ({ id }) => id),
    calls,
  }
}

const noteEnded = (shows: Services['shows'], showId: string, names: readonly string[]) =>
  shows.update(
    showId,
    (state) => ({
      ...state,
      dialIns: names.reduce(
        (entries, name) => withEntry(entries, name, (entry) => ({ ...entry, status: 'ended' as const })),
        state.dialIns,
      ),
    }),
    ...names.map((name) => ({ what: 'dialIn.ended', name }) as const),
  )
