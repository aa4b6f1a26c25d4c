import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createModules } from '../../../../local/simulation/mutants/changed-modules.ts'

const modulesOf = createModules('.', (file) => readFileSync(file, 'utf8'))

describe('createModules', () => {
  it('returns a changed source and all that imports it, as JavaScript', () => {
    const modules = modulesOf({ 'lib/show/plan/poll-interval.ts': 'export const LEAD: number = 3' })
    expect(modules['lib/show/plan/poll-interval.ts']).toMatch(/^export const LEAD\s+= 3$/)
    expect(modules['lib/show/run/watch/watch-show.ts']).not.toContain('import type')
    expect(Object.keys(modules)).toContain('local/simulation/runner/trial.ts')
    expect(Object.keys(modules)).not.toContain('lib/media/box.ts')
  })

  it('includes what loads functions by their names', () => {
    expect(Object.keys(modulesOf({ 'lambdas/show/go-live.ts': '' }))).toContain(
      'local/simulation/environment/handlers.ts',
    )
  })

  it('returns nothing for definitions of state machines', () => {
    expect(modulesOf({ 'statemachines/show.asl.json': '{}' })).toEqual({})
  })
})
