import type { ShowDocument } from '../../../lib/workflow/show.ts'
import { type AppOutage, appAnswers } from '../app.ts'
import type { Guest } from '../guests.ts'
import type { Random } from '../random.ts'
import { type PlannedControl, randomControls } from './controls.ts'
import { createDraws } from './draws.ts'
import { randomGuests } from './guests.ts'
import { randomSecrets, type ShowSecrets } from './secrets.ts'
import { EXISTING_SESSION } from './show.ts'

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

export function randomPlan(random: Random, show: ShowDocument): Plan {
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
    occurrences: oneOf([1, 1, 2]),
  }
}
