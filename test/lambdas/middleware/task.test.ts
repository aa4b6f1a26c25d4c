import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { taskHandler } from '../../../lambdas/middleware/task.ts'
import { type TaskName, type TaskOutput, tasks } from '../../../lib/tasks/tasks.ts'
import { invoke, openWorld, START_TIME, type World } from '../../support/world.ts'
import { runAnyhow } from '../run.ts'

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(() => world.close())

const input = { showId: 'a-show' }

describe('taskHandler', () => {
  it('hands the task its input with defaults filled in, and the services it runs on', async () => {
    const seen: unknown[] = []
    const handler = taskHandler('acceptShow', async (services, given) => {
      seen.push(given.request.closing, services)
      const names = { scenes: [], dialIns: [], recordings: [], broadcasts: [] }
      return { ...names, showId: 'a', closing: false, waitSeconds: 0, sessionId: null }
    })
    await invoke(handler, world.services, { executionName: 'a', startedAt: START_TIME, request: { showId: 'a' } })
    expect(seen).toEqual([false, world.services])
  })

  it('lets nothing out that the task does not name', async () => {
    const handler = taskHandler('openSession', async () => ({ sessionId: 's', token: 'secret' }))
    expect(await invoke(handler, world.services, input)).toEqual({ sessionId: 's' })
  })

  it('lets nothing out that is not of the form the task promises', async () => {
    const handler = taskHandler(
      'openSession',
      async () => ({ token: 'secret' }) as unknown as TaskOutput<'openSession'>,
    )
    await expect(invoke(handler, world.services, input)).rejects.toThrow(/sessionId/)
  })

  it('hands a task’s error on as it is, for the machine to match its name', async () => {
    const error = Object.assign(new Error('As arranged.'), { name: 'PlatformThrottledError' })
    const handler = taskHandler('openSession', async () => {
      throw error
    })
    await expect(invoke(handler, world.services, input)).rejects.toBe(error)
  })

  it('cuts a long message, and the stack that repeats it, so that many errors fit into a payload', async () => {
    const error = new Error(`It begins so ${'and goes on '.repeat(1_000)}`)
    const handler = taskHandler('openSession', async () => {
      throw error
    })
    await expect(invoke(handler, world.services, input)).rejects.toBe(error)
    expect(error.message).toMatch(/^It begins so and goes on .*…$/)
    expect(error.message).toHaveLength(1_000)
    expect(error.stack).toContain(error.message)
    expect(error.stack?.length).toBeLessThan(5_000)
  })

  // Any event may hasten these two.
  const hastened: readonly string[] = ['sweepShows', 'recordUsage']
  it.each(Object.keys(tasks).filter((name) => !hastened.includes(name)) as TaskName[])(
    '%s refuses any other input',
    async (name) => {
      await expect(runAnyhow(world, name, { surprise: true })).rejects.toMatchObject({
        name: 'TaskInputError',
        message: expect.stringMatching(new RegExp(`^The input of ${name} is not valid\\. \\w+`)),
      })
      expect(world.calls).toEqual([])
    },
  )
})
