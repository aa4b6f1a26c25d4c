import type { PlatformClient } from '../platform/client/client.ts'
import type { Archive } from '../platform/contract/archives.ts'
import { limits } from '../platform/contract/limits.ts'
import type { ShowState } from '../workflow/documents/state.ts'
import { isTagOf } from '../workflow/names.ts'
import { type Broadcast, tagOfArchive } from './adoption.ts'
import { instead, isGone } from './refusals.ts'

/** What the platform says of a show's archives and broadcasts at one moment. */
export interface Observation {
  readonly archives: readonly Archive[]
  /** Those in progress. */
  readonly broadcasts: readonly Broadcast[]
}

const count = limits.listCountMax.value

/** Sees every archive and running broadcast of a show in two calls, however many there are (up to a page's 1,000). */
export async function observe(platform: PlatformClient, showId: string, sessionId: string): Promise<Observation> {
  const [archives, broadcasts] = await Promise.all([
    Array.fromAsync(platform.each.listArchives({ sessionId, count })),
    Array.fromAsync(platform.each.listBroadcasts({ sessionId, count })),
  ])
  return {
    archives: archives.filter((archive) => isTagOf(showId, tagOfArchive(archive))),
    broadcasts: broadcasts.filter(({ multiBroadcastTag }) => isTagOf(showId, multiBroadcastTag)),
  }
}

/**
 * The observation with what the lists left out read one by one: lists may lag behind a start, and a broadcast that has
 * ended is in none.
 */
export async function complete(
  platform: PlatformClient,
  observation: Observation,
  { recordings, broadcasts }: Pick<ShowState, 'recordings' | 'broadcasts'>,
): Promise<Observation> {
  const archives = await missing(
    observation.archives,
    recordings.map(({ archiveId }) => archiveId),
    (archiveId) => platform.getArchive({ archiveId }),
  )
  const more = await missing(
    observation.broadcasts,
    broadcasts.map(({ broadcastId }) => broadcastId),
    (broadcastId) => platform.getBroadcast({ broadcastId }),
  )
  return { archives: [...observation.archives, ...archives], broadcasts: [...observation.broadcasts, ...more] }
}

async function missing<Resource extends { id: string }>(
  seen: readonly Resource[],
  ids: readonly (string | undefined)[],
  read: (id: string) => Promise<Resource>,
): Promise<Resource[]> {
  const unseen = ids.filter((id) => id !== undefined && !seen.some((resource) => resource.id === id)) as string[]
  const found = await Promise.all(unseen.map((id) => read(id).catch(instead(isGone, undefined))))
  return found.filter((resource) => resource !== undefined)
}

export const isRecording = ({ status }: Archive) => status === 'started' || status === 'paused'
export const isLive = ({ status }: Broadcast) => status === 'started' || status === 'live'
