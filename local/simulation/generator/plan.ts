import { maxSecondsOf } from '../../../lib/show/document/duration.ts'
import { isStartOf } from '../../../lib/show/document/series.ts'
import type { ShowDocument } from '../../../lib/show/document/show.ts'
import { startOrder } from '../../../lib/show/document/starts/start.ts'
import { readExpression } from '../../cloud/schedules/expression.ts'
import type { DeploymentPlan } from '../deploying/deployment-plan.ts'
import { addresses } from '../environment/addresses.ts'
import { type AppOutage, appAnswers } from '../environment/app/event-app.ts'
import type { SimulatedParticipant } from '../environment/participants.ts'
import type { Random } from '../scheduling/random.ts'
import { randomClips } from './controls/clips.ts'
import { randomCollisions } from './controls/collisions.ts'
import { type PlannedControl, randomControls } from './controls/controls.ts'
import { randomEarlyStop } from './controls/early-stops.ts'
import { randomHandoverControls } from './controls/handovers.ts'
import { createDraws, type Draws } from './draws.ts'
import type { PlannedEdits } from './edits/edits.ts'
import { randomNextLayout } from './layouts.ts'
import { randomParticipants, withOnePublisher } from './participants.ts'
import { randomPauseRequests, randomRequestedPause } from './pauses.ts'
import { randomRecordings } from './recordings.ts'
import { type GeneratedSecrets, randomSecrets } from './secrets.ts'
import { EXISTING_SESSION } from './show.ts'

const DAY = 86_400_000
const WEEK = 7 * DAY
/** Seconds: longer than the sweep takes to start a show that was recorded and not started. */
const REPOST = 1_200

/** A show, and the seconds after the first one at which it is posted. */
export interface LaterShow {
  readonly at: number
  readonly show: ShowDocument
  /** Seconds after its post at which it is stopped. @default it is not */
  readonly stoppedAfter?: number
}

/** The behavior of participants and the event app during a show, as data that can be shrunk. */
export interface Plan {
  /** Kind of the session that the show names. */
  readonly session?: (typeof existingSessions)[number]
  readonly secrets: GeneratedSecrets
  readonly participants: readonly SimulatedParticipant[]
  readonly controls: readonly PlannedControl[]
  /** Outages of the event app’s server. */
  readonly appOutages: readonly AppOutage[]
  /** True if its execution is started without the API, with the document. */
  readonly startsDirectly?: boolean
  /** Seconds after which an app posts its show again if it got no answer. @default 10 */
  readonly repostAfter?: number
  /** Number of starts of a recurring show. */
  readonly occurrences: number
  /** The next time of a series that has started as often as ordered, in milliseconds since the epoch. */
  readonly surplusStart?: number
  /** Seconds after its first archive or broadcast at which a visitor reads everything that the API shows of it. @default none */
  readonly visits?: readonly number[]
  /** A second show in the session that the show names. */
  readonly companion?: LaterShow
  /** Shows of other sessions. @default none */
  readonly others?: readonly LaterShow[]
  /** Cases of documents that the API is asked about, by their descriptions. @default none */
  readonly documents?: readonly string[]
  /** The deployment of the stack before the show, and its removal afterwards. @default a deployed stack, which stays */
  readonly deployment?: DeploymentPlan
  /** Changes of a recording after the show. @default none */
  readonly edits?: PlannedEdits
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
  const surplusStart = surplusStartOf(show, plan.occurrences, now)
  // Drawn last, so that seeds keep the rest of their plans.
  const pauses = randomPauseRequests(draws, show)
  const isShared = show.session?.id === EXISTING_SESSION && draws.chance(0.9)
  const shared = isShared ? { companion: { at: between(0, 600), show: randomCompanion(draws) } } : {}
  const stops = randomBroadcastStops(draws, show)
  const clips = randomClips(draws, show)
  const collisions = randomCollisions(draws, show)
  const early = randomEarlyStop(draws, show, participants)
  const paused = randomRequestedPause(draws, show)
  const layout = randomEarlyLayout(draws, show)
  const isAlone = show.recordings.some(({ outputMode }) => outputMode === 'individual') && draws.chance(0.25)
  const isPatient = !show.start && draws.chance(0.08)
  const refusal = randomRefusal(draws, show)
  const handovers = randomHandoverControls(draws, show, participants)
  const visits = times(oneOf([0, 1, 1, 2]), () => between(0, Math.min(maxSecondsOf(show), 3_600)))
  return {
    ...plan,
    ...shared,
    appOutages: [...refusal, ...plan.appOutages],
    ...(surplusStart !== undefined && { surplusStart }),
    visits,
    ...(isAlone && { participants: withOnePublisher(participants) }),
    ...(isPatient && { repostAfter: REPOST }),
    controls: [...controls, ...pauses, ...stops, ...clips, ...collisions, ...early, ...paused, ...layout, ...handovers],
  }
}

/** Draws a time from the start in which the event app refuses events. An eighth of all shows with a callback have one. */
function randomRefusal({ chance, between, oneOf }: Draws, show: ShowDocument): AppOutage[] {
  if (!show.callback || chance(0.875)) return []
  return [{ at: 0, seconds: between(600, 7_200), answers: oneOf([302, 404, 410]) }]
}

/** Draws another layout of a recording early in the show, so that next parts begin with it. A quarter of all shows have one. */
function randomEarlyLayout(draws: Draws, show: ShowDocument): PlannedControl[] {
  const composed = show.recordings.filter(
    ({ outputMode, hasVideo }) => outputMode !== 'individual' && hasVideo !== false,
  )
  if (composed.length === 0 || draws.chance(0.75)) return []
  const { name: recording } = draws.oneOf(composed)
  const layout = randomNextLayout(draws)
  return [
    {
      ...{ at: draws.between(5, 60), after: 'live', key: 'early-layout', posts: 1, together: false },
      control: { what: 'change', layouts: [{ recording, layout }] },
    },
  ]
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

/** Returns the times of two weeks at which a series starts, however often it is ordered; undefined for another show. */
function startsWithinTwoWeeks({ start }: ShowDocument, now: number) {
  const series = start && startOrder.parse(start)
  if (!series || !('cron' in series)) return undefined
  const expression = readExpression(`cron(${series.cron})`, { zone: series.zone, anchor: now })
  const starts: number[] = []
  for (let time = expression.after(now); time !== undefined && time < now + 2 * WEEK; time = expression.after(time))
    if (isStartOf(series, time)) starts.push(time)
  return { starts, count: series.count ?? Number.POSITIVE_INFINITY }
}

/** Returns true if a show starts twice within a week. Waiting longer would simulate months in which nothing happens. */
function recursWithinAWeek(show: ShowDocument, now: number): boolean {
  const { starts: [first = 0, second = Number.POSITIVE_INFINITY] = [], count = 1 } =
    startsWithinTwoWeeks(show, now) ?? {}
  return count > 1 && second - first <= WEEK
}

/** Returns the time within two days at which a series would start once more than ordered. */
function surplusStartOf(show: ShowDocument, occurrences: number, now: number): number | undefined {
  const { starts = [], count = Number.POSITIVE_INFINITY } = startsWithinTwoWeeks(show, now) ?? {}
  const [last = 0, surplus = Number.POSITIVE_INFINITY] = starts.slice(count - 1)
  return count <= occurrences && surplus - last <= 2 * DAY ? surplus : undefined
}
