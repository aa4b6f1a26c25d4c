import type { GreenRoom, KnownRecording, Recording, Show, ShowLine } from './answers.ts'
import { partLabel } from './labels.ts'

export const isShowOver = ({ status }: Pick<ShowLine, 'status'>): boolean =>
  ['succeeded', 'failed', 'stopped', 'cancelled', 'degraded'].includes(status)

/** Links last 15 minutes at least (`expiresAt`). Older ones are replaced before they fail. */
const MAX_LINK_AGE_MS = 10 * 60_000
const PUBLISHING_MS = 60_000
const ABANDONED_MS = 3_600_000

/**
 * Returns true if something may change within seconds: a show runs, or ended a minute ago and is being published. A show long
 * past its planned end does not count, since it was left behind by a process that exited.
 * @param now milliseconds since the epoch
 */
export const isBusy = (shows: readonly Show[], now: number): boolean =>
  shows.some((show) => {
    if (show.status === 'scheduled') return false
    if (isShowOver(show)) return show.endedAt !== undefined && now - Date.parse(show.endedAt) < PUBLISHING_MS
    return now - Date.parse(show.plannedEndAt ?? show.acceptedAt) < ABANDONED_MS
  })

/** Returns true for a show that participants wait for: it is neither live nor over. */
export const isBeforeLive = ({ status }: Pick<ShowLine, 'status'>): boolean =>
  ['scheduled', 'starting', 'waiting'].includes(status)

/** Returns the link by which participants join a show, or undefined once it is over. */
export function joinLinkOf(show: Pick<Show, 'showId' | 'status'>, joinUrl: string): string | undefined {
  if (isShowOver(show) || show.status === 'ending') return undefined
  const link = new URL(joinUrl)
  link.searchParams.set('show', show.showId)
  return link.href
}

/** Names the participants of a show before it is live, in one line: those in the session, then those on the join page. */
export function greenRoomOf(
  show: Pick<Show, 'showId' | 'status' | 'sessionId'>,
  { participants }: GreenRoom,
): string | undefined {
  if (!isBeforeLive(show)) return undefined
  const joined = participants.filter(({ hasJoined, sessionId }) => hasJoined && sessionId === show.sessionId)
  const waiting = participants.filter(({ hasJoined, showId }) => !hasJoined && showId === show.showId)
  const names = [...joined.map(({ name }) => name), ...waiting.map(({ name }) => `${name} (waits)`)]
  return names.length > 0 ? `Green room: ${names.join(', ')}` : undefined
}

/** Names the participants who wait on the join page while there is no show for them. */
export function waitingWithoutShow({ participants }: GreenRoom): string | undefined {
  const names = participants.filter(({ hasJoined, showId }) => !hasJoined && !showId).map(({ name }) => name)
  return names.length > 0 ? `Waiting for a show on the join page: ${names.join(', ')}` : undefined
}

export interface Progress {
  readonly label: string
  readonly seconds: number
  /** The share of the show that is over, from 0. */
  readonly fraction?: number
}

/**
 * Returns the progress of a show for its clock, or undefined once it is over.
 * @param now milliseconds since the epoch
 */
export function progress(show: Show, now: number): Progress | undefined {
  const { status, acceptedAt, liveAt, plannedEndAt, openEnd } = show
  if (isShowOver(show) || status === 'scheduled') return undefined
  const since = (time: string) => (now - Date.parse(time)) / 1000
  if (!liveAt || !plannedEndAt)
    return {
      label: status === 'waiting' ? 'waiting for a participant to connect' : 'since it was accepted',
      seconds: since(acceptedAt),
    }
  const left = -since(plannedEndAt)
  if (status === 'live' && left > 0 && openEnd) return { label: 'live, with an open end', seconds: since(liveAt) }
  if (status === 'live' && left > 0)
    return { label: 'until the end', seconds: Math.ceil(left), fraction: since(liveAt) / (since(liveAt) + left) }
  return {
    label: status === 'live' ? 'past the planned end' : 'waiting for the files',
    seconds: Math.max(0, -left),
    fraction: 1,
  }
}

/**
 * Returns a recording with its names. Earlier links are kept as long as they work, because a player restarts when its URL
 * changes.
 * @param old the recording as it was known before
 * @param now milliseconds since the epoch
 */
export function linkedRecording(fresh: Recording, old: KnownRecording | undefined, now: number): KnownRecording {
  const { show, page } = fresh
  const named = { ...fresh, ...(show && { name: partLabel(show) }), ...(page && { showName: page.title }) }
  if (!old || now - old.linkedAt >= MAX_LINK_AGE_MS) return { ...named, linkedAt: now }
  const linkOf = ({ key, url }: { readonly key: string; readonly url: string }) =>
    [old.source, ...old.files].find((file) => file.key === key)?.url ?? url
  return {
    ...named,
    source: { ...fresh.source, url: linkOf(fresh.source) },
    files: fresh.files.map((file) => ({ ...file, url: linkOf(file) })),
    linkedAt: old.linkedAt,
  }
}

/** Returns the first recording of a show that can be played. Returns undefined before the show is over, and without one. */
export function recordingToPlay(show: Show, recordings: readonly KnownRecording[]): KnownRecording | undefined {
  if (!isShowOver(show)) return undefined
  return show.recordings
    .map(({ archiveId }) => recordings.find((one) => one.archiveId === archiveId))
    .find((one) => one && one.status !== 'failed' && one.duration !== null)
}

/** Returns whether a running show will have a picture: its place is kept, so that nothing moves when the picture appears. */
export const isPictureAwaited = (show: Pick<Show, 'status' | 'document'>): boolean =>
  ['starting', 'waiting', 'live'].includes(show.status) && show.document?.broadcasts.some(({ hls }) => hls) === true
