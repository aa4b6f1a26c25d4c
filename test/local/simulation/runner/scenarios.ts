import { readFileSync } from 'node:fs'
import { drawChaos } from '../../../../local/simulation/chaos/draw-chaos.ts'
import { createRandomFaults, drawOutages } from '../../../../local/simulation/faults/random-faults.ts'
import type { Scenario } from '../../../../local/simulation/runner/trial.ts'
import { createRandom } from '../../../../local/simulation/scheduling/random.ts'
import { BEGINNING } from '../../../../local/simulation/world.ts'

const show = { ...JSON.parse(readFileSync('examples/webinar.json', 'utf8')), duration: 600 }

/** The example's show for ten minutes, with everything that can go wrong. */
export function scenarioOf(seed: number): Scenario {
  const within = 1_200
  const outages = drawOutages(createRandom(seed, 'outages'), { within, max: 2 })
  const random = createRandom(seed, 'faults')
  return {
    show,
    decide: createRandomFaults({ random, rate: 0.02, outages, beginning: BEGINNING }),
    chaos: drawChaos(createRandom(seed, 'plan'), { within }),
    maxSeconds: 86_400,
  }
}
