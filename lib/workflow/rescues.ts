import type { RecordingState } from './documents/resources.ts'
import type { PartsSituation, Step } from './parts.ts'
import type { TaskOutput } from './tasks/tasks.ts'

type Stranded = TaskOutput<'watchShow'>['stranded']

/** How many archives are rescued in one go at the end; a rescue is some events of a history that has a quota. */
export const MOST_RESCUES = 100
/** Seconds after its beginning at which a stranded part is rescued while the show goes on: half of the 72 h it is kept. */
export const RESCUE_AGE = 129_600
/** Seconds until it is tried again. */
export const RESCUE_AGAIN = 21_600
/** Seconds in which nothing may be due: a rescue takes up to a task's 900, and nobody looks at the show meanwhile. */
export const RESCUE_QUIET = 1_200

/** Whether the platform keeps a file that could not be uploaded and was not fetched yet. */
const isStranded = ({ status, rescued, archiveId }: RecordingState) =>
  status === 'available' && !rescued && archiveId !== undefined

const asStranded = ({ name, part, archiveId = '' }: RecordingState) => ({ name, part, archiveId })

/** What is to be rescued at the end. */
export const strandedAmong = (recordings: readonly RecordingState[]): Stranded =>
  recordings.filter(isStranded).slice(0, MOST_RESCUES).map(asStranded)

/**
 * What is to be rescued while the show goes on: one part at a time, and only in a show so long that the platform might
 * delete it before the end; all others can wait for that.
 */
export function strandedFor({ state, now }: PartsSituation, steps: readonly Step[]): Stranded {
  const isQuiet = (at: number) => at > now + RESCUE_QUIET * 1000
  if (!isQuiet(Date.parse(state.plannedEndAt ?? '')) || !steps.every(({ at }) => isQuiet(at))) return []
  const isDue = ({ createdAt = '', rescueAt }: RecordingState) =>
    rescueAt === undefined
      ? now >= Date.parse(createdAt) + RESCUE_AGE * 1000
      : now >= Date.parse(rescueAt) + RESCUE_AGAIN * 1000
  return state.recordings.filter(isStranded).filter(isDue).slice(0, 1).map(asStranded)
}
