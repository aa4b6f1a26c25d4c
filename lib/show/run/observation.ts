import type { Archive, Composer } from '../../platform/client/answers.ts'
import type { PlatformClient } from '../../platform/client/client.ts'
import { PlatformError } from '../../platform/client/errors.ts'
import { limits } from '../../platform/contract/limits.ts'
import { isTagOf } from '../document/fields/names.ts'
import type { Show } from '../document/show.ts'
import { mayBeLive, mayRecord } from '../state/part-entries.ts'
import type { ShowState } from '../state/state.ts'
import { type Broadcast, tagOfArchive } from './adoption.ts'
import { isGone, isNotYet, onError } from './platform-errors.ts'

/** What the platform says of what a show runs at one moment. */
export interface Observation {
  readonly archives: readonly Archive[]
  /** Those the platform began by itself. */
  readonly automatic: readonly Archive[]
  /** Those in progress, and others where they were read one by one. */
  readonly broadcasts: readonly Broadcast[]
  readonly composers: readonly Composer[]
  /** Ids of broadcasts and composers that were in no list and are not known any more. */
  readonly gone: readonly string[]
}

export interface ObservedShow {
  readonly show: Show
  readonly state: ShowState
  readonly sessionId: string
  /** The newest page of each list, which holds what runs, or every page and every archive that is in none. */
  readonly extent: 'newest' | 'all'
}

const count = limits.listCountMax.value

/**
 * Sees what a show runs, in as many calls however many recordings there are: one list of archives, one of broadcasts where
 * it has some, one of composers where it has scenes.
 * @throws PlatformError when any of it cannot be seen: half an observation might be taken for an end
 */
export async function observe(platform: PlatformClient, look: ObservedShow): Promise<Observation> {
  const { show, state, sessionId, extent } = look
  const { showId } = state
  const isWhole = extent === 'all'
  const archivesOf = async () =>
    isWhole
      ? Array.fromAsync(platform.each.listArchives({ sessionId, count }))
      : (await platform.listArchives({ sessionId, count })).items
  const broadcastsOf = async () =>
    isWhole
      ? Array.fromAsync(platform.each.listBroadcasts({ sessionId, count }))
      : (await platform.listBroadcasts({ sessionId, count })).items
  const [archives, broadcasts, composers] = await Promise.all([
    archivesOf(),
    isWhole || state.broadcasts.length > 0 ? broadcastsOf() : [], // at the end also those that nobody has noted
    mayHaveComposers(look) ? composersOf(platform, look) : [],
  ])
  const listed: Observation = {
    archives: archives.filter((archive) => isTagOf(showId, tagOfArchive(archive))),
    automatic: show.session.archiveMode === 'always' ? archives.filter((archive) => !tagOfArchive(archive)) : [],
    broadcasts: broadcasts.filter(({ multiBroadcastTag }) => isTagOf(showId, multiBroadcastTag)),
    composers,
    gone: [],
  }
  return complete(platform, listed, look)
}

/** The same, or why nothing can be seen: that is no news of the show, and most often it passes. */
export const tryToObserve = (
  platform: PlatformClient,
  look: ObservedShow,
): Promise<{ seen: Observation; problem?: never } | { seen?: never; problem: PlatformError }> =>
  observe(platform, look).then(
    (seen) => ({ seen }),
    (problem: unknown) => {
      if (problem instanceof PlatformError) return { problem }
      throw problem
    },
  )

/** The newest page will do while watching, where nothing but noted scenes counts; and those of this session it may hold. */
async function composersOf(
  platform: PlatformClient,
  { show, state, sessionId, extent }: ObservedShow,
): Promise<Composer[]> {
  const since = Date.parse(state.acceptedAt)
  const isOurs = ({ id, url, createdAt, ...one }: Composer) =>
    state.scenes.some(({ composerId }) => composerId === id) ||
    (one.sessionId === sessionId && createdAt >= since && show.scenes.some((scene) => scene.url === url))
  if (extent === 'newest') return (await platform.listComposers({ count })).items.filter(isOurs)
  const found: Composer[] = []
  for await (const composer of platform.each.listComposers({ count })) {
    if (composer.createdAt < since) break // newest first: the show has none further back
    if (isOurs(composer)) found.push(composer)
  }
  return found
}

/** While watching, scenes that have ended are not asked for any more. */
const mayHaveComposers = ({ state, extent }: ObservedShow) =>
  extent === 'all'
    ? state.scenes.length > 0
    : state.scenes.some(({ composerId, ...scene }) => composerId && isShown(scene))

/** Reads one by one what ought to be there and no list had: lists lag behind a start, and ended broadcasts are in none. */
async function complete(
  platform: PlatformClient,
  seen: Observation,
  { state, extent }: ObservedShow,
): Promise<Observation> {
  const [archives, broadcasts, composers] = await Promise.all([
    readMissing(
      seen.archives,
      state.recordings.filter((one) => extent === 'all' || mayRecord(one)).map(({ archiveId }) => archiveId),
      (archiveId) => platform.getArchive({ archiveId }).catch(onError(isGone, undefined)),
    ),
    readMissing(
      seen.broadcasts,
      state.broadcasts.filter(mayBeLive).map(({ broadcastId }) => broadcastId),
      (broadcastId) => platform.getBroadcast({ broadcastId }).catch(onError(isNotYet, undefined)),
    ),
    readMissing(
      seen.composers,
      state.scenes.filter(isShown).map(({ composerId }) => composerId),
      (composerId) => platform.getComposer({ composerId }).catch(onError(isNotYet, undefined)),
    ),
  ])
  return {
    ...seen,
    archives: [...seen.archives, ...archives.found],
    broadcasts: [...seen.broadcasts, ...broadcasts.found],
    composers: [...seen.composers, ...composers.found],
    gone: [...broadcasts.gone, ...composers.gone],
  }
}

async function readMissing<Resource extends { id: string }>(
  seen: readonly Resource[],
  ids: readonly (string | undefined)[],
  read: (id: string) => Promise<Resource | undefined>,
): Promise<{ found: Resource[]; gone: string[] }> {
  const unseen = ids.filter((id): id is string => id !== undefined && !seen.some((resource) => resource.id === id))
  const answers = await Promise.all(unseen.map(async (id) => ({ id, resource: await read(id) })))
  return {
    found: answers.flatMap(({ resource }) => resource ?? []),
    gone: answers.flatMap(({ id, resource }) => (resource ? [] : id)),
  }
}

/** Whether a scene takes part, or is about to. */
export const isShown = ({ status }: { readonly status?: Composer['status'] | undefined }): boolean =>
  status === 'starting' || status === 'started'
