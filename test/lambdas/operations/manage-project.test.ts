import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Interceptor, isCall, losingAnswers, losingRequests } from '../../support/world/interceptors.ts'
import { openWorld, type World } from '../../support/world.ts'
import { run, runAnyhow } from '../run.ts'

let world: World
/** Answers that CloudFormation received. */
let answers: Record<string, unknown>[]
beforeEach(async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {}) // the log of what failed
  world = openWorld()
  answers = []
  world.interceptors.platform = answering()
  await world.services.projectSecretRotation.replace({})
})
afterEach(async () => {
  vi.restoreAllMocks()
  await world.close()
})

const ANSWERS = 'https://cloudformation-custom-resource-response-useast1.s3.amazonaws.com/answers?signature=abc'

/** Collects the answers to CloudFormation, and advances the clock until a new project is usable. */
const answering =
  (otherwise: Interceptor = (_request, pass) => pass()): Interceptor =>
  async (request, pass) => {
    if (request.url === ANSWERS) {
      expect(request.headers.get('content-type') ?? '').toBe('')
      answers.push((await request.json()) as Record<string, unknown>)
      return new Response()
    }
    const response = await otherwise(request, pass)
    if (response.status === 403) await world.clock.advance(9_000) // less than the client waits for an answer
    return response
  }

const common = { ResponseURL: ANSWERS, StackId: 'stack', RequestId: 'request', LogicalResourceId: 'Project' }
const wanted = (Name = 'Live', Status: 'ACTIVE' | 'SUSPENDED' = 'ACTIVE') => ({
  ...common,
  ResourceProperties: { Name, Status },
})
const create = (...given: Parameters<typeof wanted>) =>
  run(world, 'manageProject', { RequestType: 'Create', ...wanted(...given) })
const change = (PhysicalResourceId: string, ...given: Parameters<typeof wanted>) =>
  run(world, 'manageProject', { RequestType: 'Update', PhysicalResourceId, ...wanted(...given) })
const remove = (PhysicalResourceId: string) =>
  run(world, 'manageProject', { RequestType: 'Delete', PhysicalResourceId, ...wanted() })

const projects = async (name = 'Live'): Promise<{ id: string; status: string; secret: string }[]> =>
  (await world.platform.call('listProjects')).body.filter((project: { name: string }) => project.name === name)
const lastId = () => answers.at(-1)?.PhysicalResourceId as string
const isCreate = isCall('POST', /\/v2\/project$/)
const isDelete = isCall('DELETE', /\/v2\/project\/\d+$/)

describe('manageProject', () => {
  it('creates a project, waits until it can be used, and puts its key and secret in place', async () => {
    expect(await create()).toEqual({ status: 'SUCCESS' })
    const [project] = await projects()
    expect(answers).toEqual([
      {
        Status: 'SUCCESS',
        PhysicalResourceId: project?.id,
        StackId: 'stack',
        RequestId: 'request',
        LogicalResourceId: 'Project',
        Data: { ApiKey: project?.id },
      },
    ])
    expect(await world.valueOf('project')).toEqual({ apiKey: project?.id, apiSecret: project?.secret })
    const credentials = { apiKey: project?.id ?? '', apiSecret: project?.secret ?? '' }
    await expect(world.services.platformAs(credentials).listArchives()).resolves.toMatchObject({ count: 0 })
  })

  it('makes one project however often it is asked to', async () => {
    await create()
    await create()
    expect(await projects()).toHaveLength(1)
    expect(answers.map(({ PhysicalResourceId }) => PhysicalResourceId)).toEqual([lastId(), lastId()])
  })

  it.each([
    ['the answer', losingAnswers(isCreate)],
    ['the request', losingRequests(isCreate)],
  ])('makes one project where %s was lost, although there was another of its name', async (_what, interceptor) => {
    await world.platform.call('createProject', { name: 'Live' })
    const [other] = await projects()
    world.interceptors.platform = answering(interceptor)
    await create()
    const made = (await projects()).filter(({ id }) => id !== other?.id)
    expect(made.map(({ id }) => id)).toEqual([lastId()])
  })

  it('adopts what an invocation made that ended before it knew', async () => {
    await world.platform.call('createProject', { name: 'Live' })
    const [other] = await projects()
    let isBroken = true
    world.interceptors.platform = answering(async (request, pass) => {
      const response = await pass()
      if (isCreate(request)) throw Object.assign(new Error('The function ended.'), { name: 'Error' })
      if (isBroken && request.method === 'GET' && (await projects()).length > 1)
        return new Response('', { status: 500 })
      return response
    })
    expect(await create()).toMatchObject({ status: 'FAILED' })
    expect(await projects()).toHaveLength(2)
    isBroken = false
    world.interceptors.platform = answering()
    expect(await create()).toMatchObject({ status: 'SUCCESS' })
    expect(await projects()).toHaveLength(2)
    expect(lastId()).not.toBe(other?.id)
  })

  it('deletes what a failed creation has left when the stack is rolled back, and nothing else', async () => {
    await world.platform.call('createProject', { name: 'Live' })
    const before = await projects()
    world.interceptors.platform = answering(async (request, pass) => {
      if (!isCreate(request))
        return request.method === 'GET' && answers.length === 0 && (await projects()).length > 1
          ? new Response('', { status: 500 })
          : pass()
      await pass()
      throw new TypeError('fetch failed', { cause: Object.assign(new Error('lost'), { code: 'ECONNRESET' }) })
    })
    expect(await create()).toMatchObject({ status: 'FAILED' })
    expect(lastId()).toBe('never-made')
    expect(await projects()).toHaveLength(2)
    world.interceptors.platform = answering()
    expect(await remove('never-made')).toEqual({ status: 'SUCCESS' })
    expect(await projects()).toEqual(before)
    expect(await world.valueOf('project')).toEqual({})
  })

  it('suspends the project and makes it active again', async () => {
    await create()
    const id = lastId()
    await change(id, 'Live', 'SUSPENDED')
    expect(await projects()).toMatchObject([{ id, status: 'SUSPENDED' }])
    await change(id, 'Live', 'SUSPENDED')
    await change(id)
    expect(await projects()).toMatchObject([{ id, status: 'ACTIVE' }])
    expect(answers.every(({ Status, PhysicalResourceId }) => Status === 'SUCCESS' && PhysicalResourceId === id)).toBe(
      true,
    )
  })

  it('creates a suspended project', async () => {
    expect(await create('Live', 'SUSPENDED')).toEqual({ status: 'SUCCESS' })
    expect(await projects()).toMatchObject([{ status: 'SUSPENDED' }])
  })

  it('refuses another name, because the platform cannot rename, and accepts the former one', async () => {
    await create()
    const id = lastId()
    expect(await change(id, 'Renamed')).toEqual({
      status: 'FAILED',
      reason: expect.stringMatching(/^The platform cannot rename the project "Live"\./),
    })
    expect(answers.at(-1)).toMatchObject({ Status: 'FAILED', PhysicalResourceId: id })
    expect(await change(id)).toEqual({ status: 'SUCCESS' }) // as a stack that is rolled back asks for it
  })

  it('explains what to do about a project that does not exist any more', async () => {
    await create()
    await world.platform.call('deleteProject', { apiKey: lastId() })
    expect(await change(lastId())).toMatchObject({
      status: 'FAILED',
      reason: expect.stringMatching(/ does not exist any more/),
    })
  })

  it.each([
    ['once', (_request: Request) => false],
    ['where the answer was lost', isDelete],
  ])('deletes the project %s, and empties its secret', async (_when, isLost) => {
    await create()
    world.interceptors.platform = answering(losingAnswers(isLost))
    expect(await remove(lastId())).toEqual({ status: 'SUCCESS' })
    expect(await remove(lastId())).toEqual({ status: 'SUCCESS' })
    expect(await projects()).toEqual([])
    expect(await world.valueOf('project')).toEqual({})
  })

  it('does not change a project that a user put into the secret', async () => {
    const { apiKey, apiSecret } = world.platform
    await world.services.projectSecretRotation.replace({ apiKey, apiSecret })
    expect(await create()).toMatchObject({
      status: 'FAILED',
      reason: expect.stringMatching(/already holds the key of project \d+, which the account calls ""/),
    })
    await remove('never-made')
    expect(await world.valueOf('project')).toEqual({ apiKey, apiSecret })
    expect(await projects('')).toHaveLength(1)
  })

  it('answers a physical id that CloudFormation generates without sending it to the platform', async () => {
    await create()
    const [own] = await projects()
    const generated = 'Showrunner-Project-1A2B3C4D5E6F'
    world.interceptors.platform = answering(async (request, pass) => {
      expect(request.url).not.toContain(generated)
      return pass()
    })
    expect(await remove(generated)).toEqual({ status: 'SUCCESS' })
    expect(lastId()).toBe(generated)
    expect(await projects()).toEqual([own])
  })

  it('keeps every project but the one whose key the secret holds', async () => {
    await create()
    const [own] = await projects()
    const { body: other } = await world.platform.call('createProject', { name: 'Of others' })
    expect(await remove(other.id)).toEqual({ status: 'SUCCESS' })
    expect(await projects('Of others')).toHaveLength(1)
    expect(await projects()).toEqual([own])
    expect(await world.valueOf('project')).toMatchObject({ apiKey: own?.id })
  })

  it.each([
    ['properties that are refused', { RequestType: 'Create', ...common, ResourceProperties: { Name: '' } }],
    ['another type of request', { RequestType: 'Read', ...wanted() }],
    ['members of other types', { RequestType: 'Create', ...wanted(), StackId: 7 }],
  ])('answers %s as failed, since CloudFormation would wait for an hour', async (_what, request) => {
    const reason = expect.stringMatching(/^The input of manageProject is not valid\./)
    expect(await runAnyhow(world, 'manageProject', request)).toEqual({ status: 'FAILED', reason })
    expect(answers).toEqual([
      expect.objectContaining({
        Status: 'FAILED',
        Reason: reason,
        PhysicalResourceId: 'never-made',
        RequestId: 'request',
      }),
    ])
    expect(
      await runAnyhow(world, 'manageProject', {
        ...request,
        RequestType: 'Delete',
        StackId: 'stack',
        PhysicalResourceId: 'never-made',
      }),
    ).toEqual({ status: 'SUCCESS' })
  })

  it.each([
    'http://cloudformation-custom-resource-response-useast1.s3.amazonaws.com/answers',
    'https://app.example.com/answers',
    'https://s3.amazonaws.com.example.com/answers',
    'https://bucket.s3.amazonaws.com:8443/answers',
    'http://127.0.0.1:9001/2018-06-01/runtime/init/error',
    'not a URL',
  ])('puts no answer to %s, which is not S3', async (ResponseURL) => {
    for (const one of [{ RequestType: 'Create', ...wanted(), ResponseURL }, { ResponseURL }])
      await expect(runAnyhow(world, 'manageProject', one)).rejects.toMatchObject({ name: 'TaskInputError' })
    expect(world.calls.filter((call) => call.startsWith('PUT'))).toEqual([])
  })

  it('sends no secret to CloudFormation', async () => {
    await create()
    const [project] = await projects()
    expect(project?.secret).toMatch(/\w{8}/)
    expect(JSON.stringify(answers)).not.toContain(project?.secret)
  })

  it('fails if CloudFormation does not accept the answer, so that it is retried', async () => {
    world.interceptors.platform = async (request, pass) =>
      request.url === ANSWERS ? new Response('', { status: 500 }) : answering()(request, pass)
    const asked = create('Live', 'SUSPENDED')
    await expect(asked).rejects.toMatchObject({
      name: 'ServiceError',
      message: 'CloudFormation does not accept the answer (status 500).',
    })
  })
})
