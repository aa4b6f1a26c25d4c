import type { ShowDocument } from '../../../lib/show/document/show.ts'
import { drawChaos } from '../chaos/draw-chaos.ts'
import { createRandomFaults, drawOutages } from '../faults/random-faults.ts'
import { randomBreakages } from '../generator/breakages.ts'
import { createDraws } from '../generator/draws.ts'
import { randomPlan } from '../generator/plan.ts'
import { randomShow } from '../generator/show.ts'
import { createRandom } from '../scheduling/random.ts'
import { BEGINNING } from '../world.ts'
import type { Scenario } from './trial.ts'

/** Of calls that fail by themselves; a few shows go well. */
const RATES = [0, 0.002, 0.01, 0.03] as const
/** Faults of one show at most, so that it has a chance. */
const MAX_FAULTS = 60

/** Everything of a seed: a random show, what people do meanwhile, and what goes wrong. */
export function scenarioOf(seed: number): Scenario {
  return scenarioAround(randomShow(createRandom(seed, 'show'), BEGINNING), seed)
}

/** The same around a show that is given. */
export function scenarioAround(show: ShowDocument, seed: number): Scenario {
  const random = (purpose: string) => createRandom(seed, purpose)
  const draws = createDraws(random('what goes wrong'))
  const { oneOf, chance, between } = draws
  // Half of what goes wrong does so around the start, where most is done.
  const within = chance(0.5) ? show.duration : Math.min(show.duration, between(60, 1_200))
  const outages = drawOutages(random('outages'), { within, most: 2 })
  const faults = { random: random('faults'), rate: oneOf(RATES), outages, beginning: BEGINNING, most: MAX_FAULTS }
  const drawn = drawChaos(random('chaos of the show'), { within })
  const breakages = randomBreakages(draws, show)
  return {
    show,
    plan: randomPlan(random('people'), show, BEGINNING),
    decide: createRandomFaults(faults),
    chaos: {
      ...drawn,
      failures: [...(drawn.failures ?? []), ...(breakages.failures ?? [])],
      restarts: [...(drawn.restarts ?? []), ...(breakages.restarts ?? [])],
    },
  }
}
