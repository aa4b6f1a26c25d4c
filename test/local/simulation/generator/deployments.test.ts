import { describe, expect, it } from 'vitest'
import { projectChanges } from '../../../../local/simulation/deploying/deployment-plan.ts'
import { drawDeployment } from '../../../../local/simulation/generator/deployments.ts'
import { createRandom } from '../../../../local/simulation/scheduling/random.ts'

const seeds = Array.from({ length: 300 }, (_, index) => index + 1)
const draw = (seed: number) => drawDeployment(createRandom(seed, 'deployment'))
const all = seeds.flatMap((seed) => draw(seed) ?? [])

describe('drawDeployment', () => {
  it('repeats a deployment by its seed, as plain data', () => {
    const plan = draw(2)
    expect(plan).toBeDefined()
    expect(draw(2)).toEqual(plan)
    expect(JSON.parse(JSON.stringify(plan))).toEqual(plan)
  })

  it('draws one for less than half of the seeds, with every change of a project, and without a fault in some', () => {
    expect(all.length / seeds.length).toBeGreaterThan(0.35)
    expect(all.length / seeds.length).toBeLessThan(0.55)
    expect(new Set(all.flatMap(({ project }) => project?.changes ?? []))).toEqual(new Set(projectChanges))
    expect(all.some(({ project }) => !project)).toBe(true)
    expect(all.some(({ faults }) => faults.length === 0)).toBe(true)
  })
})
