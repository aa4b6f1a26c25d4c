import type { Services } from '../../services.ts'
import type { PendingChanges } from '../document/orders/changes.ts'
import { isTransient } from '../run/platform-errors.ts'
import type { Control, ShowState } from '../state/state.ts'
import type { TimelineEvent } from '../state/timeline-events.ts'
import { applyChanges, ChangeFailedError, eventsOfChanges, runningIds, withLayouts } from './apply-changes.ts'
import { platformProblem } from './platform-problems.ts'
import { isCueId } from './play-cues.ts'
import { withPlatformUntil } from './request-deadline.ts'

/** Milliseconds of one observation's task that go to changes, and what the last of them may take beyond. */
const CHANGES_MS = 25_000
const LAST_CHANGE_MS = 10_000

type Pending = Control & { readonly pending: PendingChanges }

/** Continues changes that took longer than their request, oldest first, while an observation has time; the next continues. */
export async function continueChanges(
  services: Pick<Services, 'platform' | 'shows' | 'clock'>,
  state: ShowState,
): Promise<ShowState> {
  const until = services.clock.now() + CHANGES_MS
  const limited = withPlatformUntil(services, until + LAST_CHANGE_MS)
  let latest = state
  for (const control of pendingIn(state))
    if (services.clock.now() < until) latest = await continueOne(limited, latest, control, until)
  return latest
}

/** Returns the controls of a show whose changes are not complete. */
export const pendingIn = ({ controls }: ShowState): Pending[] =>
  controls.filter((one): one is Pending => !one.done && one.pending !== undefined)

async function continueOne(
  services: Pick<Services, 'platform' | 'shows' | 'clock'>,
  state: ShowState,
  { id, by, pending }: Pending,
  until: number,
): Promise<ShowState> {
  const { shows, clock } = services
  const { showId } = state
  const total = pending.layouts.length + pending.streams.length
  const note = (change: (state: ShowState) => ShowState, ...happened: readonly Omit<TimelineEvent, 'id'>[]) =>
    shows.update(
      showId,
      change,
      ...happened.map((entry) => ({ ...entry, ...(isCueId(id) && asCue(entry)), id, ...(by !== undefined && { by }) })),
    )
  const noteProgress = (left: PendingChanges) => note((latest) => withControl(latest, id, { pending: left }))
  let left = pending
  try {
    for (;;) {
      const { made: from, leaveOut } = left
      const made = await applyChanges(services, left, { state, from, leaveOut, until })
      if (made < total) return await noteProgress({ ...left, made })
      const began = runningIds(state).filter((one) => !left.targets.includes(one))
      if (began.length === 0) break
      // The earlier changes were made before these parts started.
      left = { ...left, made: 0, leaveOut: left.targets, targets: [...left.targets, ...began] }
    }
  } catch (error) {
    if (!(error instanceof ChangeFailedError)) throw error
    if (isTransient(error.cause)) return noteProgress({ ...left, made: error.index })
    const problem = platformProblem(error.cause)
    if (!problem) throw error.cause
    const ofLayouts = error.path.startsWith('layouts') ? 'control.layout' : 'control.streams'
    const failed: Omit<TimelineEvent, 'id'> = isCueId(id)
      ? { what: 'cue.failed', detail: problem.words }
      : {
          what: ofLayouts,
          detail: `Not every change was made, and the end was not moved. ${error.path}: ${problem.words}`,
        }
    return note((latest) => withControl(latest, id, { done: true, pending: undefined }), failed)
  }
  const { plannedEndAt } = pending
  const isTooLate = ({ stopAskedAt, endedAt }: ShowState) =>
    stopAskedAt !== undefined || endedAt !== undefined || Date.parse(plannedEndAt ?? '') <= clock.now()
  const end = plannedEndAt !== undefined && !isTooLate(state) ? plannedEndAt : undefined
  return note(
    (latest) => ({
      ...withControl(latest, id, { done: true, pending: undefined }),
      ...withLayouts(pending, latest),
      ...(end && !isTooLate(latest) && { plannedEndAt: end }),
    }),
    ...eventsOfChanges(pending, end),
  )
}

/** Returns the type of event of a change that a cue made instead of a caller. */
const asCue = ({ what }: Pick<TimelineEvent, 'what'>) =>
  what === 'control.layout' ? { what: 'cue.layout' as const } : {}

const withControl = (state: ShowState, id: string, change: Partial<Control>): ShowState => ({
  ...state,
  controls: state.controls.map((one) => (one.id === id ? { ...one, ...change } : one)),
})
