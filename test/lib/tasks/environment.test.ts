import { describe, expect, it } from 'vitest'
import { apiFunction } from '../../../lib/api/api.ts'
import { joinFunction } from '../../../lib/api/invitations.ts'
import { watchFunction } from '../../../lib/api/watch-routes.ts'
import { capabilities, variables } from '../../../lib/tasks/environment.ts'
import { tasks } from '../../../lib/tasks/tasks.ts'

describe('capabilities', () => {
  it('bring every variable there is, and none besides', () => {
    const brought = new Set(Object.values(capabilities).flatMap((need) => [...need.variables]))
    expect([...brought].sort()).toEqual(Object.keys(variables).sort())
  })

  it('are all wanted by a function', () => {
    const functions: readonly { capabilities: readonly string[] }[] = [
      ...Object.values(tasks),
      apiFunction,
      watchFunction,
      joinFunction,
    ]
    const wanted = new Set(functions.flatMap((one) => one.capabilities))
    expect([...wanted].sort()).toEqual(Object.keys(capabilities).sort())
  })
})
