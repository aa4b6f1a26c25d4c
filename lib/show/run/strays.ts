import { PlatformError } from '../../platform/client/errors.ts'
import type { Services } from '../../services.ts'
import { mayBeLive, mayRecord } from '../state/part-entries.ts'
import type { ShowState } from '../state/state.ts'
import { carriedTag, composedResources, partsIn } from './composed-resources.ts'
import type { SeenArchive, SeenBroadcast } from './observed-entries.ts'
import { onError } from './platform-errors.ts'

interface SeenResources<A extends SeenArchive, B extends SeenBroadcast> {
  readonly archives: readonly A[]
  readonly broadcasts: readonly B[]
}

/**
 * Returns the archives and broadcasts with the tag of a part that has another one. A start was given up and repeated, and reached
 * the platform after the part had ended. While the part runs, the platform refuses a second resource with its tag.
 */
export function straysIn<A extends SeenArchive, B extends SeenBroadcast>(
  state: Pick<ShowState, 'recordings' | 'broadcasts'>,
  { archives, broadcasts }: SeenResources<A, B>,
): SeenResources<A, B> {
  const noted = new Map(partsIn(state).map(({ kind, tag, id }) => [`${kind} ${tag}`, id]))
  const isStray = (kind: 'recordings' | 'broadcasts', found: SeenArchive | SeenBroadcast) => {
    const id = noted.get(`${kind} ${carriedTag(found)}`)
    return id !== undefined && id !== found.id
  }
  return {
    archives: archives.filter((one) => isStray('recordings', one)),
    broadcasts: broadcasts.filter((one) => isStray('broadcasts', one)),
  }
}

/** Stops strays, and returns the ids of those that ran. The next poll stops those that the platform did not stop. */
export async function stopStrays(
  { platform }: Pick<Services, 'platform'>,
  state: ShowState,
  seen: SeenResources<SeenArchive, SeenBroadcast>,
): Promise<string[]> {
  const strays = straysIn(state, seen)
  const [archives, broadcasts] = [strays.archives.filter(mayRecord), strays.broadcasts.filter(mayBeLive)]
  if (archives.length + broadcasts.length === 0) return []
  const resources = composedResources(await platform())
  const stops = [
    ...archives.map(({ id }) => resources.recordings.stop(id)),
    ...broadcasts.map(({ id }) => resources.broadcasts.stop(id)),
  ]
  const isOfPlatform = (error: unknown) => error instanceof PlatformError
  await Promise.all(stops.map((stop: Promise<unknown>) => stop.catch(onError(isOfPlatform, undefined))))
  return [...archives, ...broadcasts].map(({ id }) => id)
}
