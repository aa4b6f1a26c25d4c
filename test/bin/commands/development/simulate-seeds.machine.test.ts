import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { simulateCommand } from '../../../../bin/commands/development/simulate.ts'

describe('simulateCommand', () => {
  let printed: string
  beforeEach(() => {
    printed = ''
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      printed += text
      return true
    })
  })
  afterEach(() => {
    vi.restoreAllMocks()
    process.exitCode = undefined
  })

  const run = (...options: string[]) => simulateCommand().parseAsync(options, { from: 'user' })

  it('prints the results of random seeds as one JSON object with exactly these fields', async () => {
    await run('--seeds', '2', '--first', '9', '--json')
    const report = JSON.parse(printed)
    expect(Object.keys(report)).toEqual([
      ...['seeds', 'virtualHours', 'seconds', 'faults', 'coverage', 'broken', 'outcomes', 'changes'],
    ])
    expect(report).toMatchObject({ seeds: 2, broken: [], changes: [] })
    expect(Object.keys(report.outcomes)).toEqual(['9', '10'])
    expect(report.virtualHours).toBeGreaterThan(0)
    expect(process.exitCode).toBeUndefined()
  })

  it('runs a show under the faults of seeds, and prints the rate', async () => {
    await run('--seeds', '2', '--show', 'examples/webinar.json')
    expect(printed).toMatch(/^2 seeds, [\d.]+ hours of shows in [\d.]+ s: [\d.]+ seeds per second\.\n/)
    expect(printed).toContain('Every invariant holds.')
  })
})
