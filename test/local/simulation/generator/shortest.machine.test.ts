import { describe, expect, it } from 'vitest'
import { synthesize } from '../../../../bin/laptop/assembly.ts'
import { simulateShortest } from '../../../../local/simulation/generator/shortest.ts'
import { tooLong } from './too-long.ts'

describe('simulateShortest', () => {
  it('leaves out what is not needed to break the same invariant', async () => {
    const assembly = await synthesize()
    const { trial, trace, needed, of } = await simulateShortest({ assembly, seed: 1, scenario: tooLong })
    expect(trial.broken.map(({ invariant }) => invariant)).toContain('simulation')
    expect(of).toBe(11) // two faults, two kinds of chaos, two controls, two guests, a recording, a broadcast, labels
    expect(needed?.map(({ words }) => words.split(' ')[0]).toSorted()).toEqual(['controls', 'guests'])
    expect(needed?.map(({ words }) => words).join()).toContain('7200')
    expect(trace.join('\n')).not.toMatch(/fault:|signalSession|StartBroadcast|tiles/)
  })
})
