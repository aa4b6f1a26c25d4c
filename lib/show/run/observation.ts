import type { Archive, Broadcast, Composer } from '../../platform/client/answers.ts'
import type { PlatformClient } from '../../platform/client/client.ts'
import { PlatformError } from '../../platform/client/errors.ts'
import { limits } from '../../platform/contract/limits.ts'
import { isTagOf } from '../document/fields/names.ts'
import type { Show } from '../document/show.ts'
import { mayBeLive, mayRecord } from '../state/part-entries.ts'
import type { ShowState } from '../state/state.ts'
import { type ComposedResource, carriedTag, composedResources } from './composed-resources.ts'
import { isNotYet, type Meaning, onError } from './platform-errors.ts'

/** The resources of a show as the platform describes them at one moment. */
export interface Observation {
  readonly archives: readonly Archive[]
  /** Archives that the platform started automatically. */
  readonly automatic: readonly Archive[]
  /** Running broadcasts, and ended ones that were read one by one. */
  readonly broadcasts: readonly Broadcast[]
  readonly composers: readonly Composer[]
  /** Ids of broadcasts and composers that are in no list and that the platform does not know any more. */
  readonly gone: readonly string[]
}

export interface ObservedShow {
  readonly show: Show
  readonly state: ShowState
  readonly sessionId: string
  /** `newest` reads the first page of each list, which holds what runs; `all` reads every page and each unlisted archive. */
  readonly extent: 'newest' | 'all'
}

/**
 * Observes what a show runs. The number of calls does not depend on the number of recordings: one list of archives, one of
 * broadcasts if the show has some, and one of composers if it has scenes.
 * @throws {@link PlatformError} when any list cannot be read: an incomplete observation could be mistaken for an end
 */
export async function observe(platform: PlatformClient, observed: ObservedShow): Promise<Observation> {
  const { show, state, sessionId, extent } = observed
  const { showId } = state
  const isWhole = extent === 'all'
  const resources = composedResources(platform)
  const listOf = <Found>({ list, listNewest }: Pick<ComposedResource<Found, never>, 'list' | 'listNewest'>) =>
    isWhole ? Array.fromAsync(list(sessionId)) : listNewest(sessionId)
  const [archives, broadcasts, composers] = await Promise.all([
    listOf(resources.recordings),
    isWhole || state.broadcasts.length > 0 ? listOf(resources.broadcasts) : [], // at the end also broadcasts not noted
    mayHaveComposers(observed) ? composersOf(platform, observed) : [],
  ])
  const listed: Observation = {
    archives: archives.filter((archive) => isTagOf(showId, carriedTag(archive))),
    automatic: show.session.archiveMode === 'always' ? archives.filter((archive) => !carriedTag(archive)) : [],
    broadcasts: broadcasts.filter((broadcast) => isTagOf(showId, carriedTag(broadcast))),
    composers,
    gone: [],
  }
  return complete(platform, listed, observed)
}

/** Observes a show, or returns the platform's error. An error says nothing about the show and is usually transient. */
export const tryToObserve = (
  platform: PlatformClient,
  observed: ObservedShow,
): Promise<{ seen: Observation; problem?: never } | { seen?: never; problem: PlatformError }> =>
  observe(platform, observed).then(
    (seen) => ({ seen }),
    (problem: unknown) => {
      if (problem instanceof PlatformError) return { problem }
      throw problem
    },
  )

/** While watching, only noted scenes matter, so the newest page is enough. */
async function composersOf(
  platform: PlatformClient,
  { show, state, sessionId, extent }: ObservedShow,
): Promise<Composer[]> {
  const since = Date.parse(state.acceptedAt)
  const isOurs = ({ id, url, createdAt, ...one }: Composer) =>
    state.scenes.some(({ composerId }) => composerId === id) ||
    (one.sessionId === sessionId && createdAt >= since && show.scenes.some((scene) => scene.url === url))
  const count = limits.listCountMax.value
  if (extent === 'newest') return (await platform.listComposers({ count })).items.filter(isOurs)
  const found: Composer[] = []
  for await (const composer of platform.each.listComposers({ count })) {
    if (composer.createdAt < since) break // newest first: the remaining ones are older than the show
    if (isOurs(composer)) found.push(composer)
  }
  return found
}

/** While watching, composers are not listed any more once all scenes have ended. */
const mayHaveComposers = ({ state, extent }: ObservedShow) =>
  extent === 'all'
    ? state.scenes.length > 0
    : state.scenes.some(({ composerId, ...scene }) => composerId && isShown(scene))

/** Reads expected resources that no list contained: lists lag behind a start and omit ended broadcasts. */
async function complete(
  platform: PlatformClient,
  seen: Observation,
  { state, extent }: ObservedShow,
): Promise<Observation> {
  const resources = composedResources(platform)
  const recordings = state.recordings.filter((one) => extent === 'all' || mayRecord(one))
  const [archives, broadcasts, composers] = await Promise.all([
    readMissing(
      seen.archives,
      recordings.map(({ archiveId }) => archiveId),
      resources.recordings,
    ),
    readMissing(
      seen.broadcasts,
      state.broadcasts.filter(mayBeLive).map(({ broadcastId }) => broadcastId),
      resources.broadcasts,
    ),
    readMissing(
      seen.composers,
      state.scenes.filter(isShown).map(({ composerId }) => composerId),
      { get: (composerId) => platform.getComposer({ composerId }), isUnknown: isNotYet },
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
  { get, isUnknown }: { get(id: string): Promise<Resource>; readonly isUnknown: Meaning },
): Promise<{ found: Resource[]; gone: string[] }> {
  const unseen = ids.filter((id): id is string => id !== undefined && !seen.some((resource) => resource.id === id))
  const answers = await Promise.all(
    unseen.map(async (id) => ({ id, resource: await get(id).catch(onError(isUnknown, undefined)) })),
  )
  return {
    found: answers.flatMap(({ resource }) => resource ?? []),
    gone: answers.flatMap(({ id, resource }) => (resource ? [] : id)),
  }
}

/** Returns whether a scene is in the session or is starting. */
export const isShown = ({ status }: { readonly status?: Composer['status'] | undefined }): boolean =>
  status === 'starting' || status === 'started'
