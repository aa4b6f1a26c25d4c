import { beforeAll, describe, expect, it } from 'vitest'
import { synthesizeTemplate } from '../../../../bin/local/assembly.ts'
import type { Assembly } from '../../../../local/cloud/assembly.ts'
import { shrink } from '../../../../local/simulation/shrinking/shrink.ts'
import { tooLong } from '../generator/too-long.ts'

let assembly: Assembly
beforeAll(async () => {
  assembly = await synthesizeTemplate()
})

describe('simulateShortest', () => {
  it('leaves out what is not needed to break the same invariant', async () => {
    const { trial, trace, needed, of } = await shrink({ assembly, seed: 1, scenario: tooLong })
    expect(trial.broken.map(({ invariant }) => invariant)).toContain('simulation')
    expect(of).toBe(11) // two faults, two kinds of chaos, two controls, two participants, a recording, a broadcast, labels
    expect(needed?.map(({ words }) => words.split(' ')[0]).toSorted()).toEqual(['controls', 'participants'])
    expect(needed?.map(({ words }) => words).join()).toContain('7200')
    expect(trace.join('\n')).not.toMatch(/fault:|signalSession|StartBroadcast|tiles/)
  })

  it('returns a seed that breaks nothing unchanged', async () => {
    const { trial, trace, needed } = await shrink({
      assembly,
      seed: 1,
      scenario: { ...tooLong, maxSeconds: 86_400, extraSeconds: 1_200 },
    })
    expect(trial.broken).toEqual([])
    expect(needed).toBeUndefined()
    expect(trace.join('\n')).toContain('fault: WatchShow -> platform listArchives 500')
  })

  it('stops trying once it is interrupted', async () => {
    let tries = 0
    const interruption = new AbortController()
    const options = { assembly, seed: 1, scenario: tooLong, signal: interruption.signal }
    await shrink({
      ...options,
      onTry: () => {
        tries++
        interruption.abort()
      },
    })
    expect(tries).toBe(1)
  })
})
