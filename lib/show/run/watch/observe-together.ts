import { PlatformError } from '../../../platform/client/errors.ts'
import type { Services } from '../../../services.ts'
import { StorageError } from '../../../tasks/errors.ts'
import { partOfTag } from '../../document/fields/names.ts'
import {
  ALONE,
  CLAIM,
  chooseObservation,
  FRESH,
  lastChangeOf,
  type ObservationChoice,
  SHARING,
} from '../../plan/shared-observation.ts'
import type { SharedObservation } from '../../state/shared-observation.ts'
import { kindsOf, type ObservedShow, observe, observeListed, type Seen } from '../observation.ts'
import { onError } from '../platform-errors.ts'
import { listRunning } from './list-running.ts'

type Observing = Pick<Services, 'platform' | 'observations' | 'clock'>

/** The resources that a show saw, absent while the platform fails; and the number of shows that share observations, if they do. */
export interface SeenTogether {
  readonly seen?: Seen
  readonly sharedBy?: number
}

/** Times that a show awaits another's observation, and the milliseconds before each. */
const WAITS = [500, 1_000, 1_500] as const

/**
 * Observes a show while it runs. If other shows are live, one of them lists what runs in the whole project and the others read
 * it. A show that is alone, or finds no recent observation, observes for itself.
 */
export async function observeTogether(services: Observing, observed: ObservedShow): Promise<SeenTogether> {
  const platform = await services.platform()
  const isFailure = (error: unknown) => error instanceof PlatformError
  const shared = await sharedFor(services, observed).catch(onError(isFailure, 'failed' as const))
  if (shared === 'failed') return {}
  const sharing = shared?.observedAt === undefined ? {} : { sharedBy: shared.shows }
  const seeing = shared?.isFor
    ? observeListed(platform, listsFor(shared, observed), observed)
    : observe(platform, observed)
  const seen = await seeing.catch(onError(isFailure, undefined))
  return { ...sharing, ...(seen && { seen }) }
}

/** The shared observation, and whether this show may use it. */
type Shared = SharedObservation & { readonly isFor: boolean }

/** Finds or makes an observation that the show may use. Without the bucket, it observes for itself. */
async function sharedFor(services: Observing, observed: ObservedShow): Promise<Shared | undefined> {
  const { observations, clock } = services
  const choose = (document: SharedObservation | undefined) =>
    chooseObservation(document, {
      showId: observed.state.showId,
      kinds: kindsOf(observed),
      changedAt: lastChangeOf(observed.state),
      now: clock.now(),
    })
  const own = (document: SharedObservation | undefined) => document && { ...document, isFor: false }
  try {
    const kept = observations.recall()
    if (kept && isStillSo(choose(kept.document), kept, clock.now()))
      return { ...kept.document, isFor: choose(kept.document) === 'share' }
    for (const wait of [...WAITS, undefined]) {
      const stored = await observations.read()
      const choice = choose(stored?.document)
      if (choice === 'share') return { ...(stored?.document as SharedObservation), isFor: true }
      if (choice === 'alone') return own(stored?.document)
      if (choice === 'publish') return await publish(services, observed, stored?.document)
      if (choice === 'announce') {
        if (await observations.replace(announcement(observed, clock.now()), stored?.etag)) return undefined
      } else if (choice === 'claim') {
        const claimedUntil = new Date(clock.now() + CLAIM).toISOString()
        const claimed = { ...(stored?.document as SharedObservation), claimedUntil }
        if (await observations.replace(claimed, stored?.etag))
          return await publish(services, observed, stored?.document)
      }
      if (wait === undefined) return own(stored?.document)
      await clock.sleep(wait)
    }
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
  }
  return undefined
}

/** Returns whether what this function remembers spares a read. */
const isStillSo = (
  choice: ObservationChoice,
  { document, readAt }: { readonly document: SharedObservation; readonly readAt: number },
  now: number,
) =>
  document.observedAt === undefined
    ? choice === 'alone' && now - readAt < ALONE
    : choice === 'share' && now - Date.parse(document.observedAt) <= FRESH

/** Lists what runs and writes it for the other shows; or writes that there are none. */
async function publish(
  { platform, observations, clock }: Observing,
  observed: ObservedShow,
  previous: SharedObservation | undefined,
): Promise<Shared> {
  const now = clock.now()
  const lists = await listRunning(await platform(), { kinds: kindsOf(observed), previous, now })
  const showIds = [...(lists.archives?.items ?? []), ...(lists.broadcasts?.items ?? [])].flatMap(
    ({ tag }) => partOfTag(tag)?.showId ?? [],
  )
  const { showId } = observed.state
  const shows = new Set([showId, ...showIds]).size
  const document: SharedObservation = {
    version: 1,
    by: showId,
    expiresAt: new Date(now + SHARING).toISOString(),
    observedAt: new Date(now).toISOString(),
    shows,
    ...lists,
  }
  await observations.write(shows > 1 ? document : announcement(observed, clock.now()))
  return { ...document, isFor: true }
}

/** Returns the document of a show that knows of no other one. */
function announcement({ state: { showId, plannedEndAt = '' } }: ObservedShow, now: number): SharedObservation {
  const end = Math.max(Date.parse(plannedEndAt) || 0, now + SHARING)
  return { version: 1, by: showId, expiresAt: new Date(end).toISOString(), shows: 1 }
}

interface SessionItem {
  readonly sessionId: string
}

/** Items by their sessions, for each list: an observation of thousands of shows serves many polls of one function. */
const itemsBySession = new WeakMap<readonly SessionItem[], ReadonlyMap<string, readonly SessionItem[]>>()

function itemsOfSession<Item extends SessionItem>(items: readonly Item[] = [], sessionId: string): readonly Item[] {
  const grouped = itemsBySession.get(items) ?? Map.groupBy(items, (one) => one.sessionId)
  itemsBySession.set(items, grouped)
  return (grouped.get(sessionId) ?? []) as readonly Item[]
}

/** Returns a show's resources in the form of the platform's lists. */
function listsFor(shared: SharedObservation, { sessionId, state }: ObservedShow): Parameters<typeof observeListed>[1] {
  const { archives, broadcasts, composers } = shared
  return {
    archives: itemsOfSession(archives?.items, sessionId).map(({ tag, reason = '', ...one }) => ({
      ...one,
      reason,
      multiArchiveTag: tag,
    })),
    broadcasts: itemsOfSession(broadcasts?.items, sessionId).map(({ tag, hls, hlsStatus, rtmp, ...one }) => ({
      ...one,
      multiBroadcastTag: tag,
      broadcastUrls: { ...(hls && { hls }), ...(hlsStatus && { hlsStatus }), rtmp },
    })),
    composers: (composers?.items ?? []).filter(({ id }) => state.scenes.some(({ composerId }) => composerId === id)),
  }
}
