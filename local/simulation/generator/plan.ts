import { maxSecondsOf } from '../../../lib/show/document/duration.ts'
import { isStartOf } from '../../../lib/show/document/series.ts'
import type { ShowDocument } from '../../../lib/show/document/show.ts'
import { startOrder } from '../../../lib/show/document/starts/start.ts'
import { readExpression } from '../../cloud/schedules/expression.ts'
import { addresses } from '../environment/addresses.ts'
import { type AppOutage, appAnswers } from '../environment/app/event-app.ts'
import type { SimulatedParticipant } from '../environment/participants.ts'
import type { Random } from '../scheduling/random.ts'
import { randomClips } from './clips.ts'
import { type PlannedControl, randomControls } from './controls.ts'
import { createDraws, type Draws } from './draws.ts'
import { randomParticipants } from './participants.ts'
import { randomPauseRequests } from './pauses.ts'
import { randomRecordings } from './recordings.ts'
import { type GeneratedSecrets, randomSecrets } from './secrets.ts'
import { EXISTING_SESSION } from './show.ts'

const WEEK = 7 * 86_400_000

/** The behavior of participants and the event app during a show, as data that can be shrunk. */
export interface Plan {
  /** Kind of the session that the show names. */
  readonly session?: (typeof existingSessions)[number]
  readonly secrets: GeneratedSecrets
  readonly participants: readonly SimulatedParticipant[]
  readonly controls: readonly PlannedControl[]
  /** Outages of the event app’s server. */
  readonly appOutages: readonly AppOutage[]
  /** Number of starts of a recurring show. */
  readonly occurrences: number
  /** A second show in the session that the show names, and the seconds after which it is posted. */
  readonly companion?: { readonly at: number; readonly show: ShowDocument }
}

export const existingSessions = ['routed', 'relayed', 'unknown'] as const

/** Draws a plan for a show. @param now time of the post, in milliseconds since the epoch */
export function randomPlan(random: Random, show: ShowDocument, now: number): Plan {
  const draws = createDraws(random)
  const { oneOf, between, logUniform, times } = draws
  const participants = randomParticipants(draws, show)
  const controls = randomControls(draws, show, participants)
  const outages = show.callback ? oneOf([0, 0, 1, 2]) : 0
  const plan = {
    ...(show.session?.id === EXISTING_SESSION && { session: oneOf([...existingSessions, 'routed' as const]) }),
    participants,
    controls,
    secrets: randomSecrets(random, { show, controls }),
    appOutages: times(outages, () => ({
      at: between(0, maxSecondsOf(show)),
      seconds: logUniform(1, 7_200),
      answers: oneOf(appAnswers),
    })),
    occurrences: recursWithinAWeek(show, now) ? oneOf([1, 1, 2]) : 1,
  }
  // Drawn last, so that seeds keep the rest of their plans.
  const pauses = randomPauseRequests(draws, show)
  const isShared = show.session?.id === EXISTING_SESSION && draws.chance(0.5)
  const shared = isShared ? { companion: { at: between(0, 600), show: randomCompanion(draws) } } : {}
  const stops = randomBroadcastStops(draws, show)
  return { ...plan, ...shared, controls: [...controls, ...pauses, ...stops, ...randomClips(draws, show)] }
}

/** Draws up to two requests to stop a broadcast. A quarter of all shows with broadcasts have some. */
function randomBroadcastStops({ chance, between, oneOf, times }: Draws, show: ShowDocument): PlannedControl[] {
  const { broadcasts = [] } = show
  if (broadcasts.length === 0 || chance(0.75)) return []
  return times(between(1, 2), (index) => {
    const posts = oneOf([1, 1, 2])
    const broadcast = chance(0.05) ? 'unknown' : oneOf(broadcasts).name
    return {
      ...{ at: between(0, maxSecondsOf(show)), after: 'live', key: `stop-broadcast-${index}` },
      ...{ posts, together: posts > 1 && chance(0.5), control: { what: 'stopBroadcast', broadcast } },
    }
  })
}

/** Draws a show that records. Scenes and calls would belong to both shows of a session. */
function randomCompanion(draws: Draws): ShowDocument {
  const duration = draws.logUniform(300, 7_200)
  return {
    ...{ version: 1, name: 'The second show of a session', duration, recordings: randomRecordings(draws, duration) },
    ...draws.maybe(0.5, 'callback', () => ({ url: `${addresses.app}/events` })),
  }
}

/** Returns true if a show starts twice within a week. Waiting longer would simulate months in which nothing happens. */
function recursWithinAWeek({ start }: ShowDocument, now: number): boolean {
  const series = start && startOrder.parse(start)
  if (!series || !('cron' in series) || series.count === 1) return false
  const expression = readExpression(`cron(${series.cron})`, { zone: series.zone, anchor: now })
  const starts: number[] = []
  for (let time = expression.after(now); time !== undefined && time < now + 2 * WEEK; time = expression.after(time))
    if (isStartOf(series, time)) starts.push(time)
  const [first = 0, second = Number.POSITIVE_INFINITY] = starts
  return second - first <= WEEK
}
