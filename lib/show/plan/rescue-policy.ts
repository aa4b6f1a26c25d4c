import type { TaskOutput } from '../../tasks/tasks.ts'
import type { RecordingState } from '../state/resources.ts'
import type { ShowState } from '../state/state.ts'

type Stranded = TaskOutput<'watchShow'>['stranded']

/** Archives that one execution rescues. Each adds events to its history, more with retries. */
export const MAX_RESCUES = 100
/** Seconds from the start of a stranded part to its rescue in a running show: half of the 72 h that the platform keeps it. */
export const RESCUE_AGE = 129_600
/** Seconds between attempts in a running show. */
export const RESCUE_AGAIN = 21_600
/** Seconds before each attempt after the end of a show. They outlast a short outage; then the archive is given up. */
export const RESCUE_PAUSES = [0, 60, 300, 900] as const

/** Returns whether the platform keeps a file after a failed upload that was not rescued yet. */
const isStranded = ({ status, rescued, archiveId }: RecordingState) =>
  status === 'available' && !rescued && archiveId !== undefined

const asStranded = ({ name, part, archiveId = '' }: RecordingState) => ({ name, part, archiveId })

/** Returns the archives to rescue now after the end of a show, and the seconds until the next one is due, if any. */
export function strandedAmong(
  recordings: readonly RecordingState[],
  now: number,
): { readonly stranded: Stranded; readonly waitSeconds: number | undefined } {
  const pending = recordings.filter(isStranded).flatMap((one) => {
    const pause = RESCUE_PAUSES[one.rescueTries ?? 0]
    if (pause === undefined) return []
    return [{ one, at: one.rescueTries ? Date.parse(one.rescueAt ?? '') + pause * 1000 : now }]
  })
  const due = pending.filter(({ at }) => at <= now).slice(0, MAX_RESCUES)
  const next = Math.min(...pending.map(({ at }) => at))
  return {
    stranded: due.map(({ one }) => asStranded(one)),
    waitSeconds: pending.length > 0 ? Math.max(1, Math.ceil((next - now) / 1000)) : undefined,
  }
}

/** Returns the archives to rescue now: only those that the platform might delete before the show ends. */
export function strandedFor({ recordings }: Pick<ShowState, 'recordings'>, now: number): Stranded {
  const isDue = ({ createdAt = '', rescueAt }: RecordingState) =>
    rescueAt === undefined
      ? now >= Date.parse(createdAt) + RESCUE_AGE * 1000
      : now >= Date.parse(rescueAt) + RESCUE_AGAIN * 1000
  return recordings.filter(isStranded).filter(isDue).slice(0, MAX_RESCUES).map(asStranded)
}

/** Returns the recordings with a note of the attempt, which is written first, so that a failing rescue is not retried for ever. */
export const withRescues = (
  recordings: readonly RecordingState[],
  stranded: Stranded,
  { now, isEnd }: { readonly now: number; readonly isEnd: boolean },
): RecordingState[] =>
  recordings.map((one) => {
    if (!stranded.some(({ archiveId }) => archiveId === one.archiveId)) return one
    const rescueAt = new Date(now).toISOString()
    return { ...one, rescueAt, ...(isEnd && { rescueTries: (one.rescueTries ?? 0) + 1 }) }
  })
