import { describe, expect, it } from 'vitest'
import { scenarioOf } from '../../../../local/simulation/runner/scenario.ts'

const scenarios = Array.from({ length: 500 }, (_, index) => scenarioOf(index + 1))

describe('scenarioOf', () => {
  it('is the same for a seed, but for the faults, which are decided as calls come', () => {
    const { decide: _, ...once } = scenarioOf(7)
    const { decide: __, ...again } = scenarioOf(7)
    expect(again).toEqual(once)
  })

  it('plans every kind of chaos more than 20 times in 500 seeds', () => {
    const chaos = scenarios.map((one) => one.chaos ?? {})
    for (const kind of [
      'restarts',
      'aborts',
      'failures',
      'suspensions',
      'exoduses',
      'rotations',
      'downloads',
      'slowUploads',
    ] as const)
      expect(chaos.filter((one) => one[kind]?.length).length).toBeGreaterThan(20)
    for (const kind of [
      'failedUploads',
      'truncatedFiles',
      'interruptedPosts',
      'pageSize',
      'listLag',
      'events',
      'forgetsBroadcasts',
      'callbacks',
    ] as const)
      expect(chaos.filter((one) => one[kind]).length).toBeGreaterThan(20)
  })
})
