import type { Archive, Broadcast, Composer } from '../../platform/client/answers.ts'
import type { PlatformClient } from '../../platform/client/client.ts'
import { PlatformError } from '../../platform/client/errors.ts'
import { limits } from '../../platform/contract/limits.ts'
import { isTagOf } from '../document/fields/names.ts'
import type { Show } from '../document/show.ts'
import { mayBeLive, mayRecord } from '../state/part-entries.ts'
import type { ListedKind } from '../state/shared-observation.ts'
import type { ShowState } from '../state/state.ts'
import { firstCreation } from './adoption.ts'
import { type ComposedResource, carriedTag, composedResources } from './composed-resources.ts'
import type { SeenArchive, SeenBroadcast, SeenComposer } from './observed-entries.ts'
import { isNotYet, type Meaning, onError } from './platform-errors.ts'

/** The resources that a show has in the platform's lists, or in those that shows share. */
export interface Listed<A = Archive, B = Broadcast, C = Composer> {
  readonly archives: readonly A[]
  /** Running broadcasts, and ended ones that were read one by one. */
  readonly broadcasts: readonly B[]
  readonly composers: readonly C[]
}

/** The resources of a show at one moment, with what its state records of them. */
export interface Seen extends Listed<SeenArchive, SeenBroadcast, SeenComposer> {
  /** Ids of broadcasts and composers that are in no list and that the platform does not know any more. */
  readonly gone: readonly string[]
}

/** The resources of a show as the platform describes them at one moment. */
export interface Observation extends Listed {
  /** Archives that the platform started automatically. */
  readonly automatic: readonly Archive[]
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
  const { show, sessionId, extent } = observed
  const kinds = kindsOf(observed)
  const isWhole = extent === 'all'
  const resources = composedResources(platform)
  const listOf = <Found>({ list, listNewest }: Pick<ComposedResource<Found, never>, 'list' | 'listNewest'>) =>
    isWhole ? Array.fromAsync(list(sessionId)) : listNewest(sessionId)
  const [archives, broadcasts, composers] = await Promise.all([
    listOf(resources.recordings),
    kinds.includes('broadcasts') ? listOf(resources.broadcasts) : [],
    kinds.includes('composers') ? composersOf(platform, observed) : [],
  ])
  const automatic = show.session.archiveMode === 'always' ? archives.filter((archive) => !carriedTag(archive)) : []
  return { ...(await observeListed(platform, { archives, broadcasts, composers }, observed)), automatic }
}

/** Completes lists of a show's session by what they lack. */
export function observeListed<A extends SeenArchive, B extends SeenBroadcast, C extends SeenComposer>(
  platform: PlatformClient,
  { archives, broadcasts, composers }: Listed<A, B, C>,
  observed: ObservedShow,
) {
  const isOurs = (one: SeenArchive | SeenBroadcast) => isTagOf(observed.state.showId, carriedTag(one))
  const listed = { archives: archives.filter(isOurs), broadcasts: broadcasts.filter(isOurs), composers }
  return complete(platform, listed, observed)
}

/** Returns the lists that a show needs: at the end also that of broadcasts which it did not note. */
export function kindsOf(observed: ObservedShow): ListedKind[] {
  const { state, extent } = observed
  return [
    'archives',
    ...(extent === 'all' || state.broadcasts.length > 0 ? (['broadcasts'] as const) : []),
    ...(mayHaveComposers(observed) ? (['composers'] as const) : []),
  ]
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
  const since = firstCreation(state)
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
async function complete<A extends SeenArchive, B extends SeenBroadcast, C extends SeenComposer>(
  platform: PlatformClient,
  seen: Listed<A, B, C>,
  { state, extent }: ObservedShow,
) {
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
    archives: [...seen.archives, ...archives.found],
    broadcasts: [...seen.broadcasts, ...broadcasts.found],
    composers: [...seen.composers, ...composers.found],
    gone: [...broadcasts.gone, ...composers.gone],
  }
}

async function readMissing<Resource extends { id: string }>(
  seen: readonly { readonly id: string }[],
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
