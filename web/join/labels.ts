import type { Tile } from './room.ts'

/** A show, as far as participants may know it. */
export interface ShowInfo {
  readonly showId: string
  readonly name: string
  readonly status:
    | 'scheduled'
    | 'starting'
    | 'waiting'
    | 'live'
    | 'ending'
    | 'succeeded'
    | 'failed'
    | 'stopped'
    | 'cancelled'
    | 'degraded'
  /** True once its session exists, so that participants can join. */
  readonly isOpen: boolean
  readonly liveAt?: string
  readonly plannedEndAt?: string
  /** Present on a scheduled show. */
  readonly start?: { readonly at?: string; readonly cron?: string; readonly zone: string }
}

/** Returns true for a show that participants cannot join any more. */
export const isVisitOver = ({ status }: Pick<ShowInfo, 'status'>): boolean =>
  ['ending', 'succeeded', 'failed', 'stopped', 'cancelled', 'degraded'].includes(status)

/** The state of a show in a word or two, and whether participants are recorded. */
export interface Badge {
  readonly text: string
  readonly state: 'quiet' | 'green-room' | 'live'
}

/** Describes the state of a show for its badge. */
export function badgeOf(show: ShowInfo | undefined): Badge {
  if (!show) return { text: 'No show yet', state: 'quiet' }
  if (isVisitOver(show)) return { text: 'Over', state: 'quiet' }
  if (show.status === 'live') return { text: 'Live', state: 'live' }
  return show.isOpen ? { text: 'Green room', state: 'green-room' } : { text: 'Not started', state: 'quiet' }
}

/** Describes to a participant in the lobby what joining does now. */
export function lobbyNote(show: ShowInfo | undefined): string {
  if (!show) return 'No show is running yet. You can join now: the page waits, and lets you in when one starts.'
  if (isVisitOver(show)) return 'This show is over.'
  if (show.status === 'live') return 'This show is live. Everything you say and show is recorded once you join.'
  if (show.isOpen) return 'The show begins when the first participant joins. From then on it is recorded.'
  const start = startOf(show)
  return `${start ? `The show starts ${start}. ` : 'The show has not started yet. '}You can join now: the page waits, and lets you in.`
}

/**
 * Describes why media is not sent, to a participant whose stream has never connected; undefined while it may still connect.
 * Firefox does not send media to 127.0.0.1.
 */
export function mediaProblem(
  publications: readonly { readonly status: string; readonly streamId?: string | undefined }[],
  userAgent: string,
): string | undefined {
  if (!publications.some(({ status, streamId }) => status === 'interrupted' && streamId === undefined)) return undefined
  if (/\bFirefox\//.test(userAgent))
    return 'Firefox sends no media to 127.0.0.1: restart with npm start -- --peer-address, and an address of this machine.'
  return 'Your camera and microphone do not reach the session. The page tries again.'
}

/** Describes to a participant who waits what happens next. */
export function waitingNote(show: ShowInfo | undefined): string {
  const start = show && startOf(show)
  if (start) return `The show starts ${start}. You will join automatically. Leave this page open.`
  return 'The show has not started yet. You will join automatically. Leave this page open.'
}

const startOf = ({ start }: ShowInfo) =>
  start?.at ? `on ${dateOf(start.at)} (${start.zone})` : start?.cron && 'on its schedule'

/** Formats a local time of any zone: `1 March 2026 at 19:00`. */
const dateOf = (at: string) =>
  new Date(`${at}Z`).toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

/** Ways in which a visit ends. */
export type Ending = 'left' | 'over' | 'removed' | 'refused'

const ENDINGS: Readonly<Record<Ending, { readonly title: string; readonly text: string }>> = {
  left: { title: 'You have left', text: 'The others no longer see or hear you.' },
  over: { title: 'The show is over', text: 'Thank you for joining. You can close this page.' },
  removed: {
    title: 'A moderator has removed you',
    text: 'You are no longer seen or heard. If you think this is a mistake, contact the organiser before you join again.',
  },
  refused: { title: 'You could not join', text: '' },
}

/** Describes how a visit ended. @param reason the server's message, for a visit that was refused */
export const endingOf = (ending: Ending, reason = ''): { readonly title: string; readonly text: string } => ({
  ...ENDINGS[ending],
  ...(ending === 'refused' && { text: reason || 'Try again, or ask the organiser for a new link.' }),
})

/**
 * Explains why a camera or microphone cannot be used, and what to do.
 * @param name of the DOMException, or `ended` for a device that stopped
 */
export function deviceProblem(kind: 'camera' | 'microphone', name: string): string {
  switch (name) {
    case 'NotFoundError':
      return `No ${kind} was found. Connect one, or join without it.`
    case 'NotAllowedError':
    case 'SecurityError':
      return `The browser may not use your ${kind}. Allow it beside the address bar, then turn the ${kind} on.`
    case 'NotReadableError':
    case 'AbortError':
      return `Your ${kind} is used by another program. Close that program, then turn the ${kind} on.`
    case 'OverconstrainedError':
      return `The chosen ${kind} is no longer there. Choose another one.`
    case 'ended':
      return `Your ${kind} was disconnected, or the permission was withdrawn. Choose another one, or turn it on again.`
    case 'insecure':
      return `Browsers allow a ${kind} on https pages and on this machine only. You can watch and chat.`
    default:
      return `Your ${kind} does not start (${name}). Choose another one, or join without it.`
  }
}

/** Describes a tile for a screen reader: name, and everything that its icons show. */
export function tileLabel(
  { name, kind, isOwn, hasAudio, hasVideo, hasHand, isPublished }: Tile,
  quality: QualityLabel,
): string {
  if (kind === 'screen') return isOwn ? 'Your screen' : `Screen of ${name}`
  const parts = [
    isOwn ? `${name} (you)` : name,
    ...(isPublished ? [] : ['not on camera']),
    ...(isPublished && !hasAudio ? ['muted'] : []),
    ...(isPublished && !hasVideo ? ['camera off'] : []),
    ...(hasHand ? ['hand raised'] : []),
    ...(quality === 'good' || quality === 'unknown' ? [] : [QUALITIES[quality].toLowerCase()]),
  ]
  return parts.join(', ')
}

export type QualityLabel = 'good' | 'fair' | 'poor' | 'lost' | 'unknown'

/** Labels of the connection quality. */
export const QUALITIES: Readonly<Record<QualityLabel, string>> = {
  good: 'Good connection',
  fair: 'Fair connection',
  poor: 'Poor connection',
  lost: 'Connection interrupted',
  unknown: 'Connection is being measured',
}

/** Returns up to two letters for a participant without a picture. */
export function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter(Boolean)
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].flatMap((word) => [...(word ?? '')][0] ?? [])
  return letters.join('').toUpperCase() || '?'
}
