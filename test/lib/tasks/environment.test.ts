import { describe, expect, it } from 'vitest'
import { apiFunction } from '../../../lib/api/api.ts'
import { watchFunction } from '../../../lib/api/watch-routes.ts'
import { needs, variables } from '../../../lib/tasks/environment.ts'
import { tasks } from '../../../lib/tasks/tasks.ts'

describe('needs', () => {
  it('bring every variable there is, and none besides', () => {
    const brought = new Set(Object.values(needs).flatMap((need) => [...need.variables]))
    expect([...brought].sort()).toEqual(Object.keys(variables).sort())
  })

  it('are all wanted by a function', () => {
    const functions: readonly { needs: readonly string[] }[] = [...Object.values(tasks), apiFunction, watchFunction]
    const wanted = new Set(functions.flatMap((one) => one.needs))
    expect([...wanted].sort()).toEqual(Object.keys(needs).sort())
  })
})
