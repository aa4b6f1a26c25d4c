import type { Context } from 'aws-lambda'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { handler } from '../../../lambdas/publish/start-publish.ts'
import { readDefinition } from '../../../lib/constructs/deploy/definition.ts'
import { publishExecutionName } from '../../../lib/show/document/fields/names.ts'
import { keys } from '../../../lib/show/state/keys.ts'
import { openWorld, type World } from '../../support/world.ts'
import { manifest } from '../api/recordings/recording.ts'
import { run, runAnyhow } from '../run.ts'

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

  it('starts one execution for an event that arrives twice', async () => {
    await arrive()
    await arrive() // while it runs
    await world.clock.advance(0)
    expect(await arrive()).toEqual({ outcome: 'running or done', executionName })
    expect(executions()).toHaveLength(1)
  })

  it('leads links to the file that is uploaded again once it is published, and keeps its retention', async () => {
    world.keepVersions()
    const { storage, records } = world.services
    const key = keys.archive(world.platform.apiKey, archiveId)
    const upload = async () => {
      await storage.put(key, 'the file', 'video/mp4')
      return (await storage.headOf(key)) as { etag: string; versionId: string }
    }
    const { etag, versionId } = await upload()
    await arrive(key, etag)
    await world.clock.advance(0)
    const source = { key, etag, versionId, size: 8, sha256: null }
    const withheld = {
      etag: 'other',
      size: 4,
      sha256: null,
      since: '2026-11-20T09:00:00.000Z',
      differences: ['It is shorter.'],
    }
    await records.writeManifest({ ...manifest, archiveId, keepDays: 30, source, withheld, files: [] }, async () => true)
    await arrive(key, etag)
    expect((await records.readManifest(archiveId))?.source).toEqual(source)
    const again = await upload()
    const tagged: string[] = []
    world.interceptors.aws = (request, pass) => {
      const { pathname, searchParams } = new URL(request.url)
      if (request.method === 'PUT' && searchParams.has('tagging')) tagged.push(pathname)
      return pass()
    }
    expect(await arrive(key, etag)).toMatchObject({ outcome: 'running or done' })
    const after = await records.readManifest(archiveId)
    expect(after?.source).toEqual({ ...source, versionId: again.versionId })
    expect(after?.withheld).toBeUndefined() // it is not the current file any more
    expect(again.versionId).not.toBe(versionId)
    expect(tagged).toEqual([`/media/${key}`])
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
      if (++runs === 1) throw new Error('As arranged.')
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

  it('gives up after nine attempts, which is logged and not an error', async () => {
    world.machines.publish = async () => {
      throw new Error('As arranged.')
    }
    const outcomes: unknown[] = []
    for (let count = 0; count < 10; count++) {
      outcomes.push((await arrive()).outcome)
      await world.clock.advance(0)
    }
    expect(outcomes).toEqual(['started', ...Array.from({ length: 8 }, () => 'started again'), 'given up'])
    expect(executions()).toHaveLength(9)
  })

  it('starts nothing for an object that is not an archive', async () => {
    expect(await arrive('uploads/archive.mp4')).toEqual({ outcome: 'not an archive', executionName: '' })
    expect(executions()).toEqual([])
  })

  it('refuses an event that is not S3’s', async () => {
    await expect(runAnyhow(world, 'startPublish', { detail: {} })).rejects.toMatchObject({
      name: 'TaskInputError',
      message: expect.stringMatching(/detail\.bucket: .*; detail\.object: /),
    })
  })

  it('refuses an event of another kind', async () => {
    await expect(runAnyhow(world, 'startPublish', { 'detail-type': 'Object Deleted' })).rejects.toMatchObject({
      name: 'TaskInputError',
    })
  })
})

describe('startPublish, after an interrupted execution', () => {
  const first = `${archiveId}-9e107d9d372bb6826bd81d3542a419d6`
  const input = { bucket: 'media', key: `100001/${archiveId}/archive.mp4`, etag: '9e107d9d372bb6826bd81d3542a419d6' }
  /** Tells how an execution has ended, as Step Functions does. */
  const end = (detail: object, of: object = {}) =>
    run(world, 'startPublish', {
      'detail-type': 'Step Functions Execution Status Change',
      detail: { name: first, status: 'TIMED_OUT', input: JSON.stringify({ ...input, ...of }), ...detail },
    })

  it('starts the next attempt with the same input, once for any number of events', async () => {
    expect(await end({})).toEqual({ outcome: 'started again', executionName: `${first}-r2` })
    await end({}) // while it runs
    await world.clock.advance(0)
    expect(await end({})).toEqual({ outcome: 'running or done', executionName: `${first}-r2` })
    expect(executions().map((execution) => JSON.parse(execution.input))).toEqual([input])
  })

  it('starts a rebuild again as what it was', async () => {
    const formats = ['poster', 'thumbnails']
    const name = `${archiveId}-rebuild-0123456789abcdef`
    expect(await end({ name }, { formats })).toEqual({ outcome: 'started again', executionName: `${name}-r2` })
    expect(executions().map((execution) => JSON.parse(execution.input))).toEqual([{ ...input, formats }])
  })

  it('gives up after the third attempt, which is logged as an error and counted', async () => {
    expect(await end({ name: `${first}-r2` })).toEqual({ outcome: 'started again', executionName: `${first}-r3` })
    const name = `${first}-r3`
    expect(await end({ name })).toEqual({ outcome: 'given up', executionName: name })
    expect(executions()).toHaveLength(1)
    const lines: string[] = []
    const event = {
      'detail-type': 'Step Functions Execution Status Change',
      detail: { name, status: 'ABORTED', input: JSON.stringify(input) },
    }
    await handler.on(world.services, (line) => void lines.push(line))(event, {} as Context)
    const written = lines.map((line) => JSON.parse(line))
    expect(written).toContainEqual(
      expect.objectContaining({ level: 'ERROR', message: 'given up', executionName: name }),
    )
    expect(written).toContainEqual(expect.objectContaining({ PublishesFailed: 1 })) // an alarm goes off by it
  })

  it('distinguishes failures of the machine by whether the owner was notified', async () => {
    const { States } = JSON.parse(readDefinition('publish').text) as { States: Record<string, { Error?: string }> }
    const errors = Object.values(States).flatMap(({ Error: error }) => error ?? [])
    const outcomes: Record<string, string> = {}
    for (const error of errors) {
      const name = publishExecutionName(error, 'e') // each of its own, so that each starts another
      outcomes[error] = (await end({ name, status: 'FAILED', error, cause: 'As arranged.' })).outcome
    }
    expect(outcomes).toEqual({
      PublishFailed: 'left as it is', // the manifest says why
      NotJoined: 'left as it is', // it is published
      Unpublished: 'started again',
      PublishThrottled: 'started again', // nothing is wrong with the recording
    })
  })

  it.each([
    ['Step Functions itself', { error: 'States.Runtime', cause: 'Too many events.' }],
    ['Step Functions itself, without a word', {}],
  ])('starts again what %s has let fail', async (_who, why) => {
    expect((await end({ status: 'FAILED', ...why })).outcome).toBe('started again')
  })

  it.each([
    ['with an error', { error: 'Enough', cause: null }, 'left as it is'],
    ['with a cause', { error: null, cause: 'Too dear.' }, 'left as it is'],
    ['with neither', { error: null, cause: null }, 'started again'],
  ])('takes a stop %s for what it is', async (_how, why, outcome) => {
    expect((await end({ status: 'ABORTED', ...why })).outcome).toBe(outcome)
  })

  it.each([
    ['no JSON', '{'],
    ['another document', '{"showId":"a-show"}'],
    ['no archive', JSON.stringify({ ...input, key: 'uploads/archive.mp4' })],
  ])('starts nothing with an input that is %s', async (_what, text) => {
    expect(await end({ input: text })).toEqual({ outcome: 'not an archive', executionName: first })
    expect(executions()).toEqual([])
  })
})
