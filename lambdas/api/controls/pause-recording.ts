import type { Services } from '../../../lib/services.ts'
import { platformProblem } from '../../../lib/show/controls/platform-problems.ts'
import { withPlatformUntil } from '../../../lib/show/controls/request-deadline.ts'
import type { RecordingOrder } from '../../../lib/show/document/recording.ts'
import { startRecordingPart } from '../../../lib/show/run/start/start-parts.ts'
import { isStopped } from '../../../lib/show/run/unless-stopped.ts'
import { stopRecordingPart, withRolledRecordings } from '../../../lib/show/run/watch/roll-over.ts'
import { mayRecord } from '../../../lib/show/state/part-entries.ts'
import type { PauseAction } from '../../../lib/show/state/pause-request.ts'
import { isPausedAt } from '../../../lib/show/state/pauses.ts'
import type { ShowState } from '../../../lib/show/state/state.ts'
import { ShowStoppedError } from '../../../lib/tasks/errors.ts'
import { ApiProblem } from '../../http/problem.ts'
import { controlRoute } from './control.ts'

/** Milliseconds of a request that go to the platform. */
const PLATFORM_MS = 10_000

/** `POST /shows/{id}/recordings/{name}/pause`: notes the pause first, so that nothing starts the recording meanwhile. */
export const postPause = controlRoute('pause', {
  async carryOut(show, _body, services, { id, output: recording }) {
    const state = await note(services, show, { id, recording, action: 'pause' })
    const parts = runningParts(state, recording)
    const limited = withPlatformUntil(services, services.clock.now() + PLATFORM_MS)
    const outcomes = await Promise.allSettled(parts.map((part) => stopRecordingPart(limited, part)))
    const stopped = outcomes.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
    const failures = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
    // The platform may refuse to stop an archive that runs on.
    const isDone = failures.length === 0 && !stopped.some(mayRecord)
    const last = isDone ? stopped.toSorted((one, other) => one.part - other.part).at(-1) : undefined
    await services.shows.update(
      show.showId,
      (latest) => withRolledRecordings(latest, stopped),
      ...(last ? [{ what: 'recording.paused' as const, name: recording, part: last.part }] : []),
    )
    if (!failures.every(isOfPlatform)) throw failures.find((one) => !isOfPlatform(one))
    const detail = isDone
      ? `The recording ${recording} is paused.`
      : `The recording ${recording} pauses within a minute: the platform has not stopped it yet.`
    return { happened: [{ what: 'control.pause', name: recording, detail }] }
  },
})

/** `POST /shows/{id}/recordings/{name}/resume`: ends the pause, and starts the next part unless another request has. */
export const postResume = controlRoute('resume', {
  async carryOut(show, _body, services, { id, output: recording }) {
    const state = await note(services, show, { id, recording, action: 'resume' })
    const last = Math.max(0, ...state.recordings.filter(({ name }) => name === recording).map(({ part }) => part))
    const isRunning = runningParts(state, recording).length > 0
    const part = { showId: show.showId, sessionId: show.sessionId, name: recording, part: last + 1 }
    const limited = withPlatformUntil(services, services.clock.now() + PLATFORM_MS)
    const started = isRunning ? undefined : await startRecordingPart(limited, part).catch(undefinedIfOfPlatform)
    if (started)
      await services.shows.update(
        show.showId,
        (latest) => withRolledRecordings(latest, [started]),
        ...(['recording.started', 'recording.resumed'] as const).map((what) => ({
          ...{ what, name: recording, part: part.part },
        })),
      )
    const detail =
      started || isRunning
        ? `The recording ${recording} has resumed.`
        : `The recording ${recording} resumes once the platform can start it, for which it is asked again.`
    return { happened: [{ what: 'control.resume', name: recording, detail }] }
  },
})

interface Asked {
  readonly id: string
  readonly recording: string
  readonly action: PauseAction
}

/** Notes a request to pause or resume, once. @throws {@link ApiProblem} when the show or the recording does not allow it */
async function note(
  { shows, clock }: Pick<Services, 'shows' | 'clock'>,
  { showId }: Pick<ShowState, 'showId'>,
  asked: Asked,
): Promise<ShowState> {
  const { show } = await shows.request(showId)
  const order = show.recordings.find(({ name }) => name === asked.recording)
  const problem = problemOf(order)
  if (!order || problem)
    throw new ApiProblem('change-refused', 'The show does not allow this; see problems.', [
      { path: 'name', message: problem ?? `names no recording of the show: ${asked.recording}` },
    ])
  const now = clock.now()
  return shows.update(showId, (latest) => {
    const { pauses = [] } = latest
    if (pauses.some(({ id }) => id === asked.id)) return latest // an interrupted attempt, or a lost answer
    refuseUnlessFitting(latest, order, asked, now)
    return { ...latest, pauses: [...pauses, { ...asked, at: new Date(now).toISOString() }] }
  })
}

function problemOf(order: RecordingOrder | undefined): string | undefined {
  if (order?.parts === false) return 'must name a recording with parts: it resumes in another part'
  if (order?.streamMode === 'manual')
    return 'must name a recording with streamMode auto: the platform forgets the selected streams'
  return undefined
}

function refuseUnlessFitting(state: ShowState, order: RecordingOrder, { action }: Asked, now: number): void {
  if (isStopped(state)) throw new ApiProblem('wrong-show-state', `The show ${state.showId} is over or is stopping.`)
  const isPaused = isPausedAt(order, state, now)
  const refuse = (status: string) => {
    throw new ApiProblem('wrong-recording-state', `The recording ${order.name} is ${status}.`)
  }
  if (action === 'resume' && !isPaused) refuse('not paused')
  if (action === 'pause' && isPaused) refuse('paused already')
  if (action === 'pause' && runningParts(state, order.name).length === 0) refuse('not running')
}

const runningParts = ({ recordings }: ShowState, recording: string) =>
  recordings.filter((one) => one.name === recording && one.stoppedAt === undefined && mayRecord(one))

const isOfPlatform = (error: unknown) => platformProblem(error) !== undefined

/** @throws {@link ApiProblem} for a show that was stopped meanwhile, and every error that is not the platform's */
function undefinedIfOfPlatform(error: unknown): undefined {
  if (error instanceof ShowStoppedError) throw new ApiProblem('wrong-show-state', error.message)
  if (!isOfPlatform(error)) throw error
}
