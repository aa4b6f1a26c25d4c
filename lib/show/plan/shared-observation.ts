import type { ListedKind, SharedObservation } from '../state/shared-observation.ts'
import type { ShowState } from '../state/state.ts'

/** Milliseconds for which an observation needs no successor. */
export const FRESH = 3_000
/** Milliseconds for which an observation may be used. */
export const USABLE = 5_000
/** Milliseconds for which a claim holds off other observers. */
export const CLAIM = 10_000
/** Milliseconds that the clocks of two functions may differ. */
const SKEW = 1_000
/** Shows from which an observer claims first. Fewer rarely poll at the same time, and each write is shared by few. */
const MANY = 20
/** Milliseconds between two observations of few shows: one of them observes in each interval, and the others use it. */
const APART = 10_000
/** Milliseconds for which an observation is a reason to share, and for which a list of no use to its reader is continued. */
export const SHARING = 600_000
export const NEEDED = 120_000
/** Milliseconds after which a show that was alone looks for others. */
export const ALONE = 150_000

/**
 * A way to observe. `share`: by the shared observation. `alone`: for itself. `announce`: for itself, after it wrote that it is
 * live. `publish`: for all shows. `claim`: the same, after a claim. `await`: another show observes at the moment.
 */
export type ObservationChoice = 'share' | 'alone' | 'announce' | 'publish' | 'claim' | 'await'

interface Observer {
  readonly showId: string
  /** The lists that the show needs. */
  readonly kinds: readonly ListedKind[]
  /** Milliseconds at which the show last changed what it runs: an older observation would undo the change. */
  readonly changedAt: number
  readonly now: number
}

/** Chooses how a show observes, by the stored observation. */
export function chooseObservation(shared: SharedObservation | undefined, observer: Observer): ObservationChoice {
  const { showId, kinds, changedAt, now } = observer
  if (!shared || now >= Date.parse(shared.expiresAt)) return 'announce'
  const { by, shows, claimedUntil = '', observedAt } = shared
  const isClaimed = now < Date.parse(claimedUntil) && Date.parse(claimedUntil) <= now + CLAIM + SKEW
  if (observedAt === undefined) {
    if (isClaimed) return 'await'
    return by === showId ? 'alone' : 'claim'
  }
  const age = now - Date.parse(observedAt)
  if (age < -SKEW) return 'announce' // by a wrong clock it would never be old
  const isComplete = kinds.every((kind) => shared[kind])
  const isFew = shows < MANY
  const isUsable = isComplete && age <= USABLE && Date.parse(observedAt) >= changedAt + SKEW
  if (isUsable && (isFew || isClaimed || age <= FRESH)) return 'share'
  if (isFew) return age >= APART || !isComplete ? 'publish' : 'alone'
  if (isClaimed) return 'await'
  return age > FRESH || !isComplete ? 'claim' : 'alone'
}

/** Returns when a show last changed what it runs, in milliseconds since the epoch. */
export function lastChangeOf({ liveAt = '', timeline, recordings }: ShowState): number {
  const times = [liveAt, ...timeline.map(({ at }) => at), ...recordings.map(({ stoppedAt }) => stoppedAt ?? '')]
  return times.reduce((latest, at) => Math.max(latest, Date.parse(at) || 0), 0)
}

/** Returns from when on resources are listed, in milliseconds since the epoch: none that was created earlier can run. */
export function listedSince(shared: SharedObservation | undefined, kind: ListedKind, oldest: number): number {
  const list = shared?.[kind]
  if (!list || !shared?.observedAt) return oldest
  const createdAt = list.items.map((item) => item.createdAt)
  const running = createdAt.reduce((least, one) => Math.min(least, one), Date.parse(shared.observedAt))
  return Math.max(oldest, running - LIST_LAG)
}

/** Milliseconds by which lists may lag behind a start. */
const LIST_LAG = 120_000
