import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ServiceError } from '../../../lib/workflow/errors.ts'
import { openWorld, type World } from '../../support/world.ts'

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(() => world.close())

const failing = async () => {
  throw new Error('As told.')
}
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

  it('says that it exists when the name was used for another input or an earlier run', async () => {
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

  it('redrives what has failed, and neither what runs nor what has succeeded', async () => {
    const { publishExecutions } = world.services
    world.machines.publish = failing
    await publishExecutions.start('one', {})
    await ended()
    const work = Promise.withResolvers<object>()
    world.machines.publish = () => work.promise
    expect(await publishExecutions.redrive('one')).toBe(true)
    expect(await publishExecutions.redrive('one')).toBe(false)
    work.resolve({})
    await ended()
    expect(await publishExecutions.redrive('one')).toBe(false)
  })

  it('leaves alone what can no longer be redriven, or was by somebody faster', async () => {
    const { publishExecutions } = world.services
    world.machines.publish = failing
    await publishExecutions.start('one', {})
    await ended()
    world.interceptors.aws = (request, pass) =>
      request.headers.get('x-amz-target')?.endsWith('RedriveExecution')
        ? Promise.resolve(Response.json({ __type: 'ExecutionNotRedrivable', message: 'Too old.' }, { status: 400 }))
        : pass()
    expect(await publishExecutions.redrive('one')).toBe(false)
  })

  it('tells one that runs from one that is over, and from one that never was', async () => {
    const { publishExecutions } = world.services
    expect(await publishExecutions.describe('one')).toEqual({ status: 'missing' })
    const work = Promise.withResolvers<object>()
    world.machines.publish = () => work.promise
    await publishExecutions.start('one', {})
    expect(await publishExecutions.describe('one')).toEqual({ status: 'running' })
    await world.clock.advance(5_000)
    work.reject(new Error('As told.'))
    await ended()
    expect(await publishExecutions.describe('one')).toEqual({ status: 'over', stoppedAt: world.clock.now() })
    world.interceptors.aws = async () => new Response(null, { status: 500 })
    await expect(publishExecutions.describe('one')).rejects.toThrow(/^Step Functions failed while looking for one /)
  })

  it('names what it was doing when Step Functions fails', async () => {
    const { publishExecutions } = world.services
    await expect(publishExecutions.redrive('none')).rejects.toThrow(
      /^Step Functions failed while redriving none \(ExecutionDoesNotExist: /,
    )
    world.interceptors.aws = async () => new Response(null, { status: 500 })
    await expect(publishExecutions.start('one', {})).rejects.toThrow(ServiceError)
  })
})
