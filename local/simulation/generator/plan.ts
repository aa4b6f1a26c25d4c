import type { ShowDocument } from '../../../lib/show/document/show.ts'
import { readExpression } from '../../cloud/schedules/expression.ts'
import { type AppOutage, appAnswers } from '../environment/app.ts'
import type { Guest } from '../environment/guests.ts'
import type { Random } from '../scheduling/random.ts'
import { type PlannedControl, randomControls } from './controls.ts'
import { createDraws } from './draws.ts'
import { randomGuests } from './guests.ts'
import { randomSecrets, type ShowSecrets } from './secrets.ts'
import { EXISTING_SESSION } from './show.ts'

const WEEK = 7 * 86_400_000

/** What people do while a show runs. Data, so that it can be made less. */
export interface Plan {
  /** What a show that names a session finds there. */
  readonly session?: (typeof existingSessions)[number]
  readonly secrets: ShowSecrets
  readonly guests: readonly Guest[]
  readonly controls: readonly PlannedControl[]
  /** When the app's own server does not take what it is sent. */
  readonly appOutages: readonly AppOutage[]
  /** How often a show that recurs is let start. */
  readonly occurrences: number
}

export const existingSessions = ['routed', 'relayed', 'unknown'] as const

/** @param now when the show is posted, in milliseconds since the epoch */
export function randomPlan(random: Random, show: ShowDocument, now: number): Plan {
  const draws = createDraws(random)
  const { oneOf, between, logUniform, times } = draws
  const guests = randomGuests(draws, show)
  const controls = randomControls(draws, show, guests)
  const outages = show.callback ? oneOf([0, 0, 1, 2]) : 0
  return {
    ...(show.session?.id === EXISTING_SESSION && { session: oneOf([...existingSessions, 'routed' as const]) }),
    guests,
    controls,
    secrets: randomSecrets(random, { show, controls }),
    appOutages: times(outages, () => ({
      at: between(0, show.duration),
      seconds: logUniform(1, 7_200),
      answers: oneOf(appAnswers),
    })),
    occurrences: recursWithinAWeek(show, now) ? oneOf([1, 1, 2]) : 1,
  }
}

/** Whoever waits for a second time that lies months ahead simulates months in which nothing happens. */
function recursWithinAWeek({ start }: ShowDocument, now: number): boolean {
  if (!start || !('cron' in start)) return false
  const times = readExpression(`cron(${start.cron})`, { zone: start.zone ?? 'UTC', anchor: now })
  const first = times.after(now)
  const second = first && times.after(first)
  return first !== undefined && second !== undefined && second - first <= WEEK
}
