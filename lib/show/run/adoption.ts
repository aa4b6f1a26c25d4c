import type { Clock } from '../../clock.ts'
import type { Archive, Broadcast, Composer } from '../../platform/client/answers.ts'
import type { PlatformClient } from '../../platform/client/client.ts'
import { limits } from '../../platform/contract/limits.ts'
import { describePlatformError, isTaken, isUncertain, isUnreadable } from './platform-errors.ts'

export type { Archive, Broadcast }

/** Where to start something, and how long to look for what was started before. */
interface Place {
  readonly platform: PlatformClient
  readonly clock: Clock
}

type StartOf<Name extends 'startArchive' | 'startBroadcast' | 'startComposer'> = NonNullable<
  Parameters<PlatformClient[Name]>[0]
>

const count = limits.listCountMax.value

/** The tag an archive was given; its name repeats it, since some deployments leave the tag out of lists. */
export const tagOfArchive = ({ multiArchiveTag, name }: Pick<Archive, 'multiArchiveTag' | 'name'>) =>
  multiArchiveTag ?? name ?? undefined

/** The archive of a session that carries a tag, in whatever status: there is at most one. */
export async function findArchive(platform: PlatformClient, sessionId: string, tag: string) {
  for await (const archive of platform.each.listArchives({ sessionId, count }))
    if (tagOfArchive(archive) === tag) return archive
  return undefined
}

/** The running broadcast of a session that carries a tag. */
export async function findBroadcast(platform: PlatformClient, sessionId: string, tag: string) {
  for await (const broadcast of platform.each.listBroadcasts({ sessionId, count }))
    if (broadcast.multiBroadcastTag === tag) return broadcast
  return undefined
}

/** What tells a show's composers from others: no tag does. */
interface ComposerMark {
  readonly sessionId: string
  /** When the show was accepted; older composers are another's. */
  readonly acceptedAt: string
  readonly urls: readonly string[]
}

/** A show's composers in whatever status, oldest first. */
export async function findComposers(
  platform: PlatformClient,
  { sessionId, acceptedAt, urls }: ComposerMark,
): Promise<Composer[]> {
  const all = await Array.fromAsync(platform.each.listComposers({ count }))
  return all
    .reverse() // they come newest first
    .filter((one) => one.sessionId === sessionId && urls.includes(one.url) && one.createdAt >= Date.parse(acceptedAt))
    .sort((one, other) => one.createdAt - other.createdAt)
}

/** The oldest composer of a mark that runs and that nobody has claimed. */
export async function findComposer(
  platform: PlatformClient,
  { claimed, ...mark }: UnclaimedComposer,
): Promise<Composer | undefined> {
  const isFree = ({ id, status }: Composer) => (status === 'starting' || status === 'started') && !claimed.includes(id)
  return (await findComposers(platform, mark)).find(isFree)
}

interface UnclaimedComposer extends ComposerMark {
  /** Ids of those that are other scenes. */
  readonly claimed: readonly string[]
  /** When an earlier attempt has asked for it, of which nobody knows what came. */
  readonly askedAt?: string | undefined
}

/**
 * Starts an archive, or adopts the one that carries its tag.
 * @throws PlatformNotFoundError while no client is connected
 */
export function startOrAdoptArchive(
  { platform, clock }: Place,
  tag: string,
  order: Omit<StartOf<'startArchive'>, 'multiArchiveTag' | 'name'>,
): Promise<Archive> {
  const find = () => findArchive(platform, order.sessionId, tag)
  const start = () => platform.startArchive({ ...order, name: tag, multiArchiveTag: tag }, { adopt: find })
  return startOrAdopt(clock, find, start, mayBeThere)
}

/**
 * Starts a broadcast, or adopts the running one that carries its tag.
 * @param order asked for only when there is none to adopt, since it may hold secrets
 */
export function startOrAdoptBroadcast(
  { platform, clock }: Place,
  tag: string,
  sessionId: string,
  order: () => Promise<Omit<StartOf<'startBroadcast'>, 'multiBroadcastTag' | 'sessionId'>>,
): Promise<Broadcast> {
  const find = () => findBroadcast(platform, sessionId, tag)
  const start = async () =>
    platform.startBroadcast({ ...(await order()), sessionId, multiBroadcastTag: tag }, { adopt: find })
  return startOrAdopt(clock, find, start, mayBeThere)
}

/**
 * Starts a composer, or adopts the one there is. Two of them would both be seen, and no tag keeps the platform from starting
 * a second one: after a lost answer, and after an attempt that broke off, it is looked for at length before it may be started
 * again.
 * @param order asked for only when there is none to adopt, since it holds a token
 */
export function startOrAdoptComposer(
  { platform, clock }: Place,
  mark: UnclaimedComposer,
  order: () => Promise<StartOf<'startComposer'>>,
): Promise<Composer> {
  const start = async () => platform.startComposer(await order())
  const find = async () => {
    const there = await findComposer(platform, mark)
    if (there || !mark.askedAt) return there
    const listed = Date.parse(mark.askedAt) + LATEST_LOOK
    return findLater(clock, () => findComposer(platform, mark), listed)
  }
  return startOrAdopt(clock, find, start, isUncertain)
}

/** One that is unavailable is repeated, by the client and by the machine, and a tag that is taken by then says it is there. */
const mayBeThere = (error: unknown) => isTaken(error) || isUnreadable(error)

/** Seconds between looks for what must be there and is in no list yet: half a minute in all, of a task's minute. */
const LATER_LOOKS = [1, 2, 4, 8, 15] as const
const LATEST_LOOK = 30_000 // ms

/** An earlier start, whose answer was lost, may be there by now; lists may lag behind it. */
async function startOrAdopt<Resource>(
  clock: Clock,
  find: () => Promise<Resource | undefined>,
  start: () => Promise<Resource>,
  mayBeThere: (error: unknown) => boolean,
): Promise<Resource> {
  const there = await find()
  if (there) return there
  try {
    return await start()
  } catch (error) {
    if (!mayBeThere(error)) throw describePlatformError(error)
    const late = (await find()) ?? (await findLater(clock, find))
    if (late) return late
    throw error
  }
}

/** @param until milliseconds since the epoch, after which nobody need look any more */
async function findLater<Resource>(
  clock: Clock,
  find: () => Promise<Resource | undefined>,
  until = Number.POSITIVE_INFINITY,
): Promise<Resource | undefined> {
  for (const seconds of LATER_LOOKS) {
    const left = until - clock.now()
    if (left <= 0) return undefined
    await clock.sleep(Math.min(seconds * 1000, left))
    const late = await find()
    if (late) return late
  }
  return undefined
}
