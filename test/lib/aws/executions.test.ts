import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ServiceError } from '../../../lib/tasks/errors.ts'
import { overProtocol } from '../../support/world/interceptors.ts'
import { openWorld, type World } from '../../support/world.ts'

let world: World
beforeEach(() => {
  world = openWorld()
  world.interceptors.aws = overProtocol
})
afterEach(() => world.close())

const ended = () => world.clock.advance(0)

describe('createExecutions', () => {
  it('starts an execution under its name with its input', async () => {
    const { showExecutions } = world.services
    expect(await showExecutions.start('one', { showId: 'one' })).toBe('started')
    const stateMachineArn = 'arn:aws:states:us-east-1:000000000000:stateMachine:show'
    expect(world.states.listExecutions({ stateMachineArn })).toMatchObject([
      { name: 'one', input: '{"showId":"one"}', status: 'RUNNING' },
    ])
  })

  it('returns exists when the name was used for another input or an earlier execution', async () => {
    const { showExecutions, publishExecutions } = world.services
    await showExecutions.start('one', { n: 1 })
    expect(await showExecutions.start('one', { n: 1 })).toBe('started') // the same one, still running
    expect(await showExecutions.start('one', { n: 2 })).toBe('exists')
    await publishExecutions.start('two', {})
    await ended()
    expect(await publishExecutions.start('two', {})).toBe('exists')
  })

  it('sees by the beginning of their names whether any of them runs', async () => {
    const { showExecutions } = world.services
    await showExecutions.start('one-e1', {})
    expect(await showExecutions.isAnyRunning('one-')).toBe(true)
    expect(await showExecutions.isAnyRunning('two-')).toBe(false)
    await world.clock.advance(3_600_000)
    expect(await showExecutions.isAnyRunning('one-')).toBe(false)
  })

  it('distinguishes running, ended and missing executions', async () => {
    const { publishExecutions } = world.services
    expect(await publishExecutions.describe('one')).toEqual({ status: 'missing' })
    const work = Promise.withResolvers<object>()
    world.machines.publish = () => work.promise
    await publishExecutions.start('one', {})
    expect(await publishExecutions.describe('one')).toEqual({ status: 'running' })
    await world.clock.advance(5_000)
    work.reject(new Error('As arranged.'))
    await ended()
    const stoppedAt = world.clock.now()
    expect(await publishExecutions.describe('one')).toEqual({
      ...{ status: 'over', stoppedAt, hasSucceeded: false },
      error: expect.any(String),
    })
    world.machines.publish = async () => ({})
    await publishExecutions.start('two', {})
    await ended()
    expect(await publishExecutions.describe('two')).toMatchObject({ status: 'over', hasSucceeded: true })
    world.interceptors.aws = async () => new Response(null, { status: 500 })
    await expect(publishExecutions.describe('one')).rejects.toThrow(/^Step Functions failed while describing one /)
  })

  it('names what it was doing when Step Functions fails', async () => {
    const { publishExecutions } = world.services
    await expect(publishExecutions.start('?', {})).rejects.toThrow(
      /^Step Functions failed while starting \? \(InvalidName: /,
    )
    world.interceptors.aws = async () => new Response(null, { status: 500 })
    await expect(publishExecutions.start('one', {})).rejects.toThrow(ServiceError)
  })
})
