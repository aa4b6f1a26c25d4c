import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ServiceError } from '../../../lib/tasks/errors.ts'
import { overProtocol } from '../../support/world/interceptors.ts'
import { openWorld, START_TIME, type World } from '../../support/world.ts'

let world: World
beforeEach(() => {
  world = openWorld()
  world.interceptors.aws = overProtocol
})
afterEach(() => world.close())

const event = {
  id: 'one/show.ended///',
  event: 'show.ended',
  at: START_TIME,
  showId: 'one',
  status: 'succeeded',
  callback: true,
} as const

describe('createEvents', () => {
  it('puts an event on the bus with an id to deduplicate by', async () => {
    await world.services.events.publish(event)
    expect(world.ownerEvents).toMatchObject([
      { source: 'showrunner', 'detail-type': 'show.ended', detail: { ...event, stage: 'test' } },
    ])
  })

  it('fails when the bus answers that it took the request but not the event', async () => {
    world.interceptors.aws = async () =>
      Response.json({ FailedEntryCount: 1, Entries: [{ ErrorCode: 'ThrottlingException', ErrorMessage: 'Later.' }] })
    await expect(world.services.events.publish(event)).rejects.toThrow(
      new ServiceError('The bus showrunner-test did not accept the event show.ended (ThrottlingException).'),
    )
    expect(world.ownerEvents).toEqual([])
  })

  it('fails when the bus is not there', async () => {
    const lost = openWorld({ EVENT_BUS: 'elsewhere' })
    await expect(lost.services.events.publish(event)).rejects.toThrow(ServiceError)
    await lost.close()
  })
})
