import type { Composer } from '../../platform/client/answers.ts'
import type { PlatformClient } from '../../platform/client/client.ts'
import { limits } from '../../platform/contract/limits.ts'
import type { Services } from '../../services.ts'
import { type ComposedResource, findTagged } from './composed-resources.ts'
import { describePlatformError, isTaken, isUncertain, isUnreadable } from './platform-errors.ts'

/** The time of a task, and its deadline for calls of the platform. */
type Time = Pick<Services, 'clock' | 'platformUntil'>

/** Attributes that identify the composers of a show, because composers carry no tag. */
interface ComposerMark {
  readonly sessionId: string
  /** When the show was accepted. Composers from before {@link firstCreation} belong to another show. */
  readonly acceptedAt: string
  readonly urls: readonly string[]
}

interface UnclaimedComposer extends ComposerMark {
  /** Ids of composers that are other scenes. */
  readonly claimed: readonly string[]
  /** When an earlier attempt asked for the composer without noting the answer. */
  readonly askedAt?: string | undefined
}

/** Milliseconds by which the platform's clock may be behind that of AWS. */
const MAX_CLOCK_SKEW = 10_000

/** Returns the earliest time, in milliseconds since the epoch, that the platform may give to a resource of a show. */
export const firstCreation = ({ acceptedAt }: { readonly acceptedAt: string }): number =>
  Date.parse(acceptedAt) - MAX_CLOCK_SKEW

/** Returns the composers of a show in any status, oldest first. */
export async function findComposers(
  platform: PlatformClient,
  { sessionId, acceptedAt, urls }: ComposerMark,
): Promise<Composer[]> {
  const since = firstCreation({ acceptedAt })
  const all = await Array.fromAsync(platform.each.listComposers({ count: limits.listCountMax.value }))
  return all
    .reverse() // the platform lists the newest first
    .filter((one) => one.sessionId === sessionId && urls.includes(one.url) && one.createdAt >= since)
    .sort((one, other) => one.createdAt - other.createdAt)
}

/** Returns the oldest running composer that no other scene has claimed. */
export async function findComposer(
  platform: PlatformClient,
  { claimed, ...mark }: UnclaimedComposer,
): Promise<Composer | undefined> {
  const isFree = ({ id, status }: Composer) => (status === 'starting' || status === 'started') && !claimed.includes(id)
  return (await findComposers(platform, mark)).find(isFree)
}

/**
 * Starts an archive or a broadcast, or adopts the one that carries its tag.
 * @param order called only when there is nothing to adopt, because an order may hold secrets
 * @throws {@link PlatformNotFoundError} while no client is connected
 */
export function startOrAdopt<Found extends object, Order>(
  time: Time,
  resource: ComposedResource<Found, Order>,
  { sessionId, tag }: { readonly sessionId: string; readonly tag: string },
  order: () => Promise<Order>,
): Promise<Found> {
  const adopt = () => findTagged(resource, sessionId, tag)
  const start = async () => resource.start(sessionId, tag, await order(), { adopt })
  return adoptOrStart(time, adopt, start, mayExist)
}

/**
 * Starts a composer, or adopts the existing one. Participants would see both of two composers, and no tag prevents a second
 * one. After a lost answer or an interrupted attempt it is therefore polled for half a minute before it is started again.
 * @param order called only when there is nothing to adopt, because it holds a token
 */
export function startOrAdoptComposer(
  { platform, clock }: { readonly platform: PlatformClient; readonly clock: Services['clock'] },
  mark: UnclaimedComposer,
  order: () => Promise<NonNullable<Parameters<PlatformClient['startComposer']>[0]>>,
): Promise<Composer> {
  const start = async () => platform.startComposer(await order())
  const find = async () => {
    const existing = await findComposer(platform, mark)
    if (existing || !mark.askedAt) return existing
    const until = Date.parse(mark.askedAt) + LIST_LAG_MS
    return pollFor({ clock }, () => findComposer(platform, mark), until)
  }
  return adoptOrStart({ clock }, find, start, isUncertain)
}

/** An unavailable platform is retried by client and machine: the conflict of a used tag then shows that a resource exists. */
const mayExist = (error: unknown) => isTaken(error) || isUnreadable(error)

/** Seconds between polls for a resource that exists and is not listed yet: half a minute of a task's minute. */
const POLL_PAUSES = [1, 2, 4, 8, 15] as const
const LIST_LAG_MS = 30_000

/** Adopts before starting and after a doubtful failure. Lists may lag behind a start whose answer was lost. */
async function adoptOrStart<Found>(
  time: Time,
  find: () => Promise<Found | undefined>,
  start: () => Promise<Found>,
  mayExist: (error: unknown) => boolean,
): Promise<Found> {
  const existing = await find()
  if (existing) return existing
  try {
    return await start()
  } catch (error) {
    if (!mayExist(error)) throw describePlatformError(error)
    const late = (await find()) ?? (await pollFor(time, find))
    if (late) return late
    throw error
  }
}

/** @param until milliseconds since the epoch: the time of the last poll */
async function pollFor<Found>(
  { clock, platformUntil = Number.POSITIVE_INFINITY }: Time,
  find: () => Promise<Found | undefined>,
  until = Number.POSITIVE_INFINITY,
): Promise<Found | undefined> {
  for (const seconds of POLL_PAUSES) {
    const left = until - clock.now()
    const pause = Math.min(seconds * 1000, left)
    if (left <= 0 || clock.now() + pause >= platformUntil) return undefined
    await clock.sleep(pause)
    const late = await find()
    if (late) return late
  }
  return undefined
}
