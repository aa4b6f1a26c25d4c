import { beforeAll, describe, expect, it } from 'vitest'
import { synthesize } from '../../../../bin/laptop/assembly.ts'
import type { Assembly } from '../../../../local/cloud/assembly.ts'
import { simulateShortest } from '../../../../local/simulation/generator/shortest.ts'
import { tooLong } from './too-long.ts'

let assembly: Assembly
beforeAll(async () => {
  assembly = await synthesize()
}, 120_000)

describe('simulateShortest', () => {
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
