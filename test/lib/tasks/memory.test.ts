import { describe, expect, it } from 'vitest'
import { MIN_LIMIT, memoryOf } from '../../../lib/tasks/memory.ts'
import { type TaskName, tasks } from '../../../lib/tasks/tasks.ts'

describe('memoryOf', () => {
  it('gives no function more than every account does, unless the settings raise the cap', () => {
    for (const task of Object.keys(tasks) as TaskName[]) expect(memoryOf(task)).toBeLessThanOrEqual(MIN_LIMIT)
    expect(memoryOf('encodePiece', { most: MIN_LIMIT, tasks: { encodePiece: 5_120 } })).toBe(MIN_LIMIT)
    expect(memoryOf('encodePiece', { most: 5_120, tasks: { encodePiece: 5_120 } })).toBe(5_120)
  })

  it('gives what the task’s table asks for, or the least that runs', () => {
    expect([memoryOf('hashSource'), memoryOf('notifyOwner')]).toEqual([512, 256])
  })
})
