import { beforeAll, describe, expect, it } from 'vitest'
import { synthesize } from '../../../../bin/laptop/assembly.ts'
import type { Assembly } from '../../../../local/cloud/assembly.ts'
import { repeatFaults } from '../../../../local/simulation/generator/recorded-faults.ts'
import { simulateShortest } from '../../../../local/simulation/generator/shortest.ts'
import type { Scenario } from '../../../../local/simulation/runner/trial.ts'

let assembly: Assembly
beforeAll(async () => {
  assembly = await synthesize()
}, 120_000)

const control = { after: 'live', posts: 1, together: false } as const
const struck = { caller: 'WatchShow', operation: 'platform listArchives', fault: { kind: '500' } } as const

/** Lasts longer than it may, since somebody extends it; all else is beside the point. */
const tooLong: Scenario = {
  show: {
    version: 1,
    name: 'Extended',
    duration: 300,
    recordings: [{ name: 'program' }, { name: 'tiles' }],
    broadcasts: [{ name: 'live', hls: {} }],
    labels: { team: 'a' },
  },
  plan: {
    guests: [
      { name: 'Ada', publishes: true },
      { name: 'Linus', joinsAt: 20 },
    ],
    controls: [
      { ...control, at: 30, key: 'signal', control: { what: 'signal', signal: { type: 'chat', data: 'Hello' } } },
      { ...control, at: 60, key: 'longer', control: { what: 'change', duration: 7_200 } },
    ],
    secrets: {},
    appOutages: [],
    occurrences: 1,
  },
  chaos: { failedUploads: 1, exoduses: [{ at: 40, back: 5 }] },
  decide: repeatFaults([
    { ...struck, occurrence: 2 },
    { ...struck, occurrence: 4 },
  ]),
  goOn: 0,
  longest: 1_800,
}

describe('simulateShortest', () => {
  it('leaves out what is not needed to break the same invariant', { timeout: 120_000 }, async () => {
    const { trial, trace, needed, of } = await simulateShortest({ assembly, seed: 1, scenario: tooLong })
    expect(trial.broken.map(({ invariant }) => invariant)).toContain('simulation')
    expect(of).toBe(11) // two faults, two kinds of chaos, two controls, two guests, a recording, a broadcast, labels
    expect(needed?.map(({ words }) => words.split(' ')[0]).toSorted()).toEqual(['controls', 'guests'])
    expect(needed?.map(({ words }) => words).join()).toContain('7200')
    expect(trace.join('\n')).not.toMatch(/fault:|signalSession|StartBroadcast|tiles/)
  })

  it('gives a seed that breaks nothing as it is', { timeout: 60_000 }, async () => {
    const { trial, trace, needed } = await simulateShortest({
      assembly,
      seed: 1,
      scenario: { ...tooLong, longest: 86_400, goOn: 1_200 },
    })
    expect(trial.broken).toEqual([])
    expect(needed).toBeUndefined()
    expect(trace.join('\n')).toContain('fault: WatchShow -> platform listArchives 500')
  })

  it('tries no more once it is interrupted', { timeout: 60_000 }, async () => {
    let tries = 0
    const interruption = new AbortController()
    const options = { assembly, seed: 1, scenario: tooLong, signal: interruption.signal }
    await simulateShortest({
      ...options,
      onTry: () => {
        tries++
        interruption.abort()
      },
    })
    expect(tries).toBe(1)
  })
})
