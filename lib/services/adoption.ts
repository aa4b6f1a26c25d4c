import type { PlatformClient } from '../platform/client/client.ts'
import type { Archive } from '../platform/contract/archives.ts'
import { limits } from '../platform/contract/limits.ts'
import { tagOf } from '../workflow/names.ts'
import type { BroadcastOrder, RecordingOrder } from '../workflow/show.ts'
import { isTaken } from './refusals.ts'

/** What to start, for which show. */
interface Order<Of> {
  readonly showId: string
  readonly sessionId: string
  readonly order: Of
}

export type Broadcast = Awaited<ReturnType<PlatformClient['getBroadcast']>>

/** The tag an archive was given; its name repeats it, since some deployments leave the tag out of lists. */
export const tagOfArchive = ({ multiArchiveTag, name }: Pick<Archive, 'multiArchiveTag' | 'name'>) =>
  multiArchiveTag ?? name ?? undefined

/**
 * Starts the archive of a show's recording, or adopts the one that carries its tag, in whatever status: there is at most one.
 * @throws PlatformNotFoundError while no client is connected
 */
export async function startOrAdoptArchive(
  platform: PlatformClient,
  { showId, sessionId, order }: Order<RecordingOrder>,
): Promise<Archive> {
  const tag = tagOf(showId, order.name)
  const adopt = async () => {
    for await (const archive of platform.each.listArchives({ sessionId, count: limits.listCountMax.value }))
      if (tagOfArchive(archive) === tag) return archive
    return undefined
  }
  const { resolution, layout, hasAudio, hasVideo } = order
  return startOrAdopt(adopt, () =>
    platform.startArchive(
      { sessionId, name: tag, multiArchiveTag: tag, resolution, layout, hasAudio, hasVideo },
      { adopt },
    ),
  )
}

/**
 * Starts a show's broadcast, or adopts the running one that carries its tag.
 * @param maxDuration seconds after which the platform ends it by itself
 */
export async function startOrAdoptBroadcast(
  platform: PlatformClient,
  { showId, sessionId, order }: Order<BroadcastOrder>,
  maxDuration: number,
): Promise<Broadcast> {
  const tag = tagOf(showId, order.name)
  const adopt = async () => {
    for await (const broadcast of platform.each.listBroadcasts({ sessionId, count: limits.listCountMax.value }))
      if (broadcast.multiBroadcastTag === tag) return broadcast
    return undefined
  }
  const { hls, resolution, layout } = order
  return startOrAdopt(adopt, () =>
    platform.startBroadcast(
      { sessionId, multiBroadcastTag: tag, outputs: { hls }, resolution, layout, maxDuration },
      { adopt },
    ),
  )
}

/** A conflict means that an earlier start, whose answer was lost, is there by now. */
async function startOrAdopt<Resource>(
  adopt: () => Promise<Resource | undefined>,
  start: () => Promise<Resource>,
): Promise<Resource> {
  const there = await adopt()
  if (there) return there
  try {
    return await start()
  } catch (error) {
    const late = isTaken(error) ? await adopt() : undefined
    if (late) return late
    throw error
  }
}
