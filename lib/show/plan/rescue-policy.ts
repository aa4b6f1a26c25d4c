import type { TaskOutput } from '../../tasks/tasks.ts'
import type { RecordingState } from '../state/resources.ts'
import type { ShowState } from '../state/state.ts'

type Stranded = TaskOutput<'watchShow'>['stranded']

/** How many archives one execution rescues; each is some events of its history, more when it is tried again. */
export const MAX_RESCUES = 100
/** Seconds after its beginning at which a stranded part is rescued while the show goes on: half of the 72 h it is kept. */
export const RESCUE_AGE = 129_600
/** Seconds until it is tried again while the show goes on. */
export const RESCUE_AGAIN = 21_600
/** Seconds from one attempt at the end to the next; after the last one it is given up. An outage is outlived. */
export const RESCUE_PAUSES = [0, 60, 300, 900] as const

/** Whether the platform keeps a file that could not be uploaded and was not fetched yet. */
const isStranded = ({ status, rescued, archiveId }: RecordingState) =>
  status === 'available' && !rescued && archiveId !== undefined

const asStranded = ({ name, part, archiveId = '' }: RecordingState) => ({ name, part, archiveId })

/** What is to be rescued at the end: what of it is due now, and the seconds until the next is due, if any will be. */
export function strandedAmong(
  recordings: readonly RecordingState[],
  now: number,
): { readonly stranded: Stranded; readonly waitSeconds: number | undefined } {
  const coming = recordings.filter(isStranded).flatMap((one) => {
    const pause = RESCUE_PAUSES[one.rescueTries ?? 0]
    if (pause === undefined) return []
    return [{ one, at: one.rescueTries ? Date.parse(one.rescueAt ?? '') + pause * 1000 : now }]
  })
  const due = coming.filter(({ at }) => at <= now).slice(0, MAX_RESCUES)
  const next = Math.min(...coming.map(({ at }) => at))
  return {
    stranded: due.map(({ one }) => asStranded(one)),
    waitSeconds: coming.length > 0 ? Math.max(1, Math.ceil((next - now) / 1000)) : undefined,
  }
}

/**
 * What is to be rescued while the show goes on: only in a show so long that the platform might delete it before the end; all
 * others wait for that.
 */
export function strandedFor({ recordings }: Pick<ShowState, 'recordings'>, now: number): Stranded {
  const isDue = ({ createdAt = '', rescueAt }: RecordingState) =>
    rescueAt === undefined
      ? now >= Date.parse(createdAt) + RESCUE_AGE * 1000
      : now >= Date.parse(rescueAt) + RESCUE_AGAIN * 1000
  return recordings.filter(isStranded).filter(isDue).slice(0, MAX_RESCUES).map(asStranded)
}

/** The recordings with what is about to be rescued: noted before it is tried, so that what fails is not tried for ever. */
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
