import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openWorld, type World } from '../support/world.ts'
import { run, runAnyhow } from './run.ts'

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(() => world.close())

const archiveId = 'b40ef09b-3811-4726-b508-e41a0f96c68f'
const arrive = (key = `100001/${archiveId}/archive.mp4`, etag = '9e107d9d372bb6826bd81d3542a419d6') =>
  run(world, 'startPublish', { detail: { bucket: { name: 'media' }, object: { key, etag } } })
const stateMachineArn = 'arn:aws:states:us-east-1:000000000000:stateMachine:publish'
const executions = () => world.states.listExecutions({ stateMachineArn })

describe('startPublish', () => {
  const executionName = `${archiveId}-9e107d9d372bb6826bd81d3542a419d6`

  it('starts an execution named by archive and ETag, with bucket, key and ETag only', async () => {
    expect(await arrive()).toEqual({ outcome: 'started', executionName })
    const [execution] = executions()
    expect(execution?.name).toBe(executionName)
    expect(JSON.parse(execution?.input ?? '')).toEqual({
      bucket: 'media',
      key: `100001/${archiveId}/archive.mp4`,
      etag: '9e107d9d372bb6826bd81d3542a419d6',
    })
  })

  it('starts one execution for an event that comes twice', async () => {
    await arrive()
    await arrive() // while it runs
    await world.clock.advance(0)
    expect(await arrive()).toEqual({ outcome: 'running or done', executionName })
    expect(executions()).toHaveLength(1)
  })

  it('starts another for another upload of the archive', async () => {
    await arrive()
    const { executionName: other } = await arrive(undefined, '9e107d9d372bb6826bd81d3542a419d6-3')
    expect(other).toBe(`${executionName}-3`)
    expect(executions()).toHaveLength(2)
  })

  it('starts another where one has failed, and no more once that runs or has succeeded', async () => {
    let runs = 0
    world.machines.publish = async () => {
      if (++runs === 1) throw new Error('As told.')
      return {}
    }
    await arrive()
    await world.clock.advance(0)
    expect(await arrive()).toEqual({ outcome: 'started again', executionName: `${executionName}-r2` })
    await world.clock.advance(0)
    expect(await arrive()).toEqual({ outcome: 'running or done', executionName: `${executionName}-r2` })
    expect(
      executions()
        .map(({ status }) => status)
        .sort(),
    ).toEqual(['FAILED', 'SUCCEEDED'])
    expect(executions().map(({ input }) => input)).toEqual([executions()[0]?.input, executions()[0]?.input])
  })

  it('gives up after nine, which is told and no error', async () => {
    world.machines.publish = async () => {
      throw new Error('As told.')
    }
    const outcomes: unknown[] = []
    for (let count = 0; count < 10; count++) {
      outcomes.push((await arrive()).outcome)
      await world.clock.advance(0)
    }
    expect(outcomes).toEqual(['started', ...Array.from({ length: 8 }, () => 'started again'), 'given up'])
    expect(executions()).toHaveLength(9)
  })

  it('starts nothing for what is no archive', async () => {
    expect(await arrive('uploads/archive.mp4')).toEqual({ outcome: 'not an archive', executionName: '' })
    expect(executions()).toEqual([])
  })

  it('refuses an event that is not S3’s', async () => {
    await expect(runAnyhow(world, 'startPublish', { detail: {} })).rejects.toMatchObject({
      name: 'TaskInputError',
      message: expect.stringMatching(/detail\.bucket: .*; detail\.object: /),
    })
  })
})
