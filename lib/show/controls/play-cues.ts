import type { Services } from '../../services.ts'
import type { CueOrder } from '../document/cue.ts'
import type { Show } from '../document/show.ts'
import { isTransient } from '../run/platform-errors.ts'
import type { ShowState } from '../state/state.ts'
import { runningIds } from './apply-changes.ts'
import { platformProblem } from './platform-problems.ts'
import { withPlatformUntil } from './request-deadline.ts'

/** Seconds after its time for which a signal is sent again that the platform could not take. */
const RETRY_WINDOW = 300
/** Milliseconds between two attempts to send a signal. */
const RETRY_PAUSE = 5_000

/** Milliseconds of one observation's task that go to cues, and what the last of them may take beyond. */
const CUES_MS = 5_000
const LAST_CUE_MS = 5_000

type Playing = Pick<Services, 'platform' | 'shows' | 'clock'>

interface TimedCue {
  /** Id of its control or timeline entry. */
  readonly id: string
  readonly cue: CueOrder
  /** Milliseconds since the epoch. */
  readonly dueAt: number
}

/** Returns whether a control is a cue of the show document. */
export const isCueId = (id: string): boolean => /^cue-\d+$/.test(id)

/** Returns the cues of a live show that have not been carried out, earliest first. Markers need nothing while it runs. */
function cuesAhead({ cues }: Pick<Show, 'cues'>, { liveAt, timeline, controls, stopAskedAt, endedAt }: ShowState) {
  if (liveAt === undefined || stopAskedAt || endedAt) return []
  const played = new Set([
    ...controls.map(({ id }) => id),
    ...timeline.flatMap(({ what, id }) => (what.startsWith('cue.') && id ? id : [])),
  ])
  return cues
    .map((cue, index): TimedCue => ({ id: `cue-${index + 1}`, cue, dueAt: Date.parse(liveAt) + cue.at * 1000 }))
    .filter(({ id, cue }) => cue.marker === undefined && !played.has(id))
    .sort((one, other) => one.dueAt - other.dueAt)
}

/** Returns the time of the next cue in milliseconds since the epoch, or of the next attempt at one that is due. */
export function timeOfNextCue(show: Pick<Show, 'cues'>, state: ShowState, now: number): number {
  const [next] = cuesAhead(show, state)
  if (!next) return Number.POSITIVE_INFINITY
  return next.dueAt > now ? next.dueAt : now + RETRY_PAUSE
}

/**
 * Sends the signals of due cues, and adds the layouts of due cues to the changes that {@link continueChanges} makes. A cue is
 * noted in the state under its own id, so that a repeated task does not repeat it. A signal whose answer is lost is sent again.
 */
export async function playCues(services: Playing, show: Pick<Show, 'cues'>, state: ShowState): Promise<ShowState> {
  const began = services.clock.now()
  const limited = withPlatformUntil(services, began + CUES_MS + LAST_CUE_MS)
  let latest = state
  for (const timed of cuesAhead(show, state).filter(({ dueAt }) => dueAt <= began))
    if (services.clock.now() < began + CUES_MS)
      latest = timed.cue.signal ? await sendSignal(limited, latest, timed) : await addLayout(services, latest, timed)
  return latest
}

async function sendSignal(
  { platform, shows, clock }: Playing,
  state: ShowState,
  { id, cue: { signal }, dueAt }: TimedCue,
): Promise<ShowState> {
  const { showId, sessionId } = state
  if (!signal || !sessionId) return state
  const unchanged = (latest: ShowState) => latest
  try {
    await (await platform()).signalSession({ sessionId, ...signal })
  } catch (error) {
    if (isTransient(error) && clock.now() < dueAt + RETRY_WINDOW * 1000) return state
    const problem = platformProblem(error)
    if (!problem) throw error
    return shows.update(showId, unchanged, { what: 'cue.failed', id, detail: problem.words })
  }
  return shows.update(showId, unchanged, { what: 'cue.signal', id, detail: `A signal ${signal.type} was sent.` })
}

/** Adds the change as a pending control. A repeated write finds it. */
async function addLayout(
  { shows, clock }: Pick<Playing, 'shows' | 'clock'>,
  { showId }: ShowState,
  { id, cue: { layout, recording, broadcast } }: TimedCue,
): Promise<ShowState> {
  if (!layout) throw new TypeError(`${id} has neither a signal nor a layout.`)
  const change = {
    layout,
    ...(recording !== undefined && { recording }),
    ...(broadcast !== undefined && { broadcast }),
  }
  const at = new Date(clock.now()).toISOString()
  return shows.update(showId, (latest) => {
    if (latest.controls.some((one) => one.id === id)) return latest
    const pending = { layouts: [change], streams: [], made: 0, targets: runningIds(latest), leaveOut: [] }
    return { ...latest, controls: [...latest.controls, { id, at, request: '', callId: id, done: false, pending }] }
  })
}
