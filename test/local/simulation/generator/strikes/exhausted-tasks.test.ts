import { describe, expect, it } from 'vitest'
import { tasks } from '../../../../../lib/tasks/tasks.ts'
import { exhaustTasks } from '../../../../../local/simulation/generator/strikes/exhausted-tasks.ts'

describe('exhaustTasks', () => {
  const count = Object.keys(tasks).length
  const aims = Array.from({ length: count }, (_, index) => exhaustTasks(index + 1)).flat()

  it.each(['crashed before', 'out of memory', 'throttled'])('lets every function fail as %s, in turn', (kind) => {
    const functions = aims.filter((aim) => aim.kind === kind).map(({ operation }) => operation)
    expect(new Set(functions).size).toBe(count)
  })

  it('aims at three functions in each seed', () => {
    for (const seed of [1, 2, 100]) expect(new Set(exhaustTasks(seed).map(({ operation }) => operation)).size).toBe(3)
  })
})
