import { withEntry } from '../../lib/show/run/resource-entries.ts'
import type { DialInState } from '../../lib/show/state/resources.ts'
import type { ShowStoppedError } from '../../lib/tasks/errors.ts'
import { describeStateError } from '../../lib/tasks/state-errors.ts'
import { taskHandler } from '../middleware/task.ts'

const STOPPED: ShowStoppedError['name'] = 'ShowStoppedError'

/** The platform may have dialed although the task was interrupted before it noted the answer. */
const unknownIfAsked = (entry: DialInState): DialInState =>
  entry.askedAt && !entry.status ? { ...entry, status: 'unknown' } : entry

export const handler = taskHandler('noteFailure', async ({ shows }, { showId, kind, name, error }) => {
  if (error.Error === STOPPED) return { name } // it was never started, and has not failed
  const problem = describeStateError(error)
  const withProblem = <Entry extends object>(entry: Entry) => ({ ...entry, problem })
  await shows.update(
    showId,
    (state) =>
      kind === 'scene'
        ? { ...state, scenes: withEntry(state.scenes, name, withProblem) }
        : { ...state, dialIns: withEntry(state.dialIns, name, (entry) => withProblem(unknownIfAsked(entry))) },
    { what: `${kind}.failed`, name, detail: problem },
  )
  return { name }
})
