import { maxSecondsOf } from '../../../lib/show/document/duration.ts'
import type { ShowDocument } from '../../../lib/show/document/show.ts'
import { drawChaos } from '../chaos/draw-chaos.ts'
import { aimFaults } from '../faults/aimed-faults.ts'
import { createRandomFaults, drawOutages } from '../faults/random-faults.ts'
import { drawAims } from '../generator/aims.ts'
import { createDraws } from '../generator/draws.ts'
import { randomPlan } from '../generator/plan.ts'
import { randomResourceFailures } from '../generator/resource-failures.ts'
import { randomShow } from '../generator/show.ts'
import { createRandom } from '../scheduling/random.ts'
import { BEGINNING } from '../world.ts'
import type { Scenario } from './trial.ts'

/** Shares of calls that fail outside outages. Some shows have none. */
const RATES = [0, 0.002, 0.01, 0.03] as const
/** Upper bound of faults of one show, so that it can succeed. */
const MAX_FAULTS = 60
/** Days after a show in which Insights report its usage and that of its last day: 48 hours after them. */
const USAGE_DAYS = 3.2

export function scenarioOf(seed: number): Scenario {
  return scenarioAround(randomShow(createRandom(seed, 'show'), BEGINNING), seed)
}

export function scenarioAround(show: ShowDocument, seed: number): Scenario {
  const random = (purpose: string) => createRandom(seed, purpose)
  const draws = createDraws(random('what goes wrong'))
  const { oneOf, chance, between } = draws
  // Half of all faults happen around the start, where most is done.
  const longest = maxSecondsOf(show)
  const within = chance(0.5) ? longest : Math.min(longest, between(60, 1_200))
  const outages = drawOutages(random('outages'), { within, max: 2 })
  const faults = { random: random('faults'), rate: oneOf(RATES), outages, beginning: BEGINNING, maxFaults: MAX_FAULTS }
  const [decideAimed, decideRandom] = [aimFaults(drawAims(random('aimed faults'), show)), createRandomFaults(faults)]
  const drawn = drawChaos(random('chaos of the show'), { within })
  const breakages = randomResourceFailures(draws, show)
  return {
    show,
    ...(drawn.insights && { extraSeconds: USAGE_DAYS * 86_400 }),
    plan: randomPlan(random('people'), show, BEGINNING),
    decide: (call) => decideAimed(call) ?? decideRandom(call),
    chaos: {
      ...drawn,
      failures: [...(drawn.failures ?? []), ...(breakages.failures ?? [])],
      restarts: [...(drawn.restarts ?? []), ...(breakages.restarts ?? [])],
    },
  }
}
