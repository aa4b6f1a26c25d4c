import type { WatchedRecordingLink, WatchedShow } from '../../../lib/api/watched-show.ts'

/** Returns the sentence over the picture; empty while the broadcast plays. @param now milliseconds since the epoch */
export function noticeOf({ phase, isSeries, startsAt, live, isPublishing }: WatchedShow, now: number): string {
  if (phase === 'live') return live ? '' : 'The show has no picture yet.'
  if (phase === 'after') {
    const over = isSeries ? 'The series is over.' : 'The show is over.'
    return isPublishing ? `${over} Its recording will appear here.` : over
  }
  if (startsAt === null) return 'The show has not started yet.'
  if (Date.parse(startsAt) <= now) return 'The show is about to start.'
  return isSeries ? 'The next show starts in' : 'The show starts in'
}

/** Returns the sentence over the list of recordings while a series waits for its next start. */
export const recordingsNote = ({ phase, isPublishing }: WatchedShow): string | undefined =>
  phase === 'before' && isPublishing ? 'The recording of the last show will appear here.' : undefined

/**
 * Labels a recording among others: by its name, or in a series by the day of its show, and by its name if they differ.
 * @param locale @default that of the browser
 * @param timeZone @default that of the browser
 */
export function recordingLabel(
  { name, startedAt }: WatchedRecordingLink,
  all: readonly WatchedRecordingLink[],
  locale?: string,
  timeZone?: string,
): string {
  if (startedAt === null) return name
  const options = { dateStyle: 'long', timeStyle: 'short', ...(timeZone && { timeZone }) } as const
  const day = new Date(startedAt).toLocaleString(locale, options)
  return all.every((one) => one.name === name) ? day : `${day} · ${name}`
}
