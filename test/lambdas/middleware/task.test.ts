import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { taskHandler } from '../../../lambdas/middleware/task.ts'
import { type TaskName, type TaskOutput, tasks } from '../../../lib/workflow/tasks/tasks.ts'
import { invoke, openWorld, START_TIME, type World } from '../../support/world.ts'
import { runAnyhow } from '../run.ts'

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(() => world.close())

const input = { showId: 'a-show', session: {} }

describe('taskHandler', () => {
  it('hands the task its input with defaults filled in, and the services it runs on', async () => {
    const seen: unknown[] = []
    const handler = taskHandler('startRecording', async (given, services) => {
      seen.push(given.recording.resolution, services)
      return { name: 'a', tag: 't', archiveId: 'i', createdAt: START_TIME, status: 'started' }
    })
    await invoke(handler, world.services, { showId: 'a', sessionId: 'b', recording: { name: 'a' } })
    expect(seen).toEqual(['640x480', world.services])
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
    const error = Object.assign(new Error('As told.'), { name: 'PlatformThrottledError' })
    const handler = taskHandler('openSession', async () => {
      throw error
    })
    await expect(invoke(handler, world.services, input)).rejects.toBe(error)
  })

  it.each(Object.keys(tasks) as TaskName[])('%s refuses what is no input of its', async (name) => {
    await expect(runAnyhow(world, name, { surprise: true })).rejects.toMatchObject({
      name: 'TaskInputError',
      message: expect.stringMatching(new RegExp(`^${name} cannot work with its input\\. \\w+`)),
    })
    expect(world.calls).toEqual([])
  })
})
