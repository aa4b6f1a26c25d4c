import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { rotationSteps } from '../../../lib/tasks/operations.ts'
import { type Interceptor, isCall, refusing } from '../../support/world/interceptors.ts'
import { BUCKET, openWorld, type World, webinar } from '../../support/world.ts'
import { bringLive, run } from '../run.ts'

let world: World
/** Keys that were set for uploads, in order. */
let targets: string[]
beforeEach(() => {
  world = openWorld()
  targets = []
  world.interceptors.platform = notingTargets()
})
afterEach(() => world.close())

const isTarget = isCall('PUT', /\/archive\/storage$/)
const notingTargets =
  (otherwise: Interceptor = (_request, pass) => pass()): Interceptor =>
  async (request, pass) => {
    if (isTarget(request))
      targets.push(((await request.clone().json()) as { config: { accessKey: string } }).config.accessKey)
    return otherwise(request, pass)
  }

type Step = (typeof rotationSteps)[number]
const step = (Step: Step, ClientRequestToken: string) =>
  run(world, 'rotateUploadKey', { Step, SecretId: world.secretArns.upload, ClientRequestToken })
const followUp = () => run(world, 'rotateUploadKey', { Step: 'followUp' })

const revoke = () => run(world, 'rotateUploadKey', { Step: 'revoke' })

/** A whole rotation, every step of it so many times. */
async function rotate(times = 1): Promise<string> {
  const version = await world.beginRotation('upload')
  for (const name of rotationSteps) for (let time = 0; time < times; time++) await step(name, version)
  return version
}

/** Key in a version of the secret. @default the current version */
const keyIn = async (stage?: string) =>
  ((await world.valueOf('upload', stage)) as { accessKeyId: string } | undefined)?.accessKeyId
const keys = () => world.uploadKeys().map(({ status }) => status)

/** Whether a request is a call of this operation of IAM or Secrets Manager. */
const isAws = async (request: Request, operation: string) =>
  request.headers.get('x-amz-target') === `secretsmanager.${operation}` ||
  (request.method === 'POST' && (await request.clone().text()).includes(`Action=${operation}&`))

/** Lets the operation happen, or not, and loses its answer the first time. */
function loseAnswer(operation: string, isDone = true): void {
  let isLost = false
  world.interceptors.aws = async (request, pass) => {
    if (isLost || !(await isAws(request, operation))) return pass()
    isLost = true
    if (isDone) await pass()
    throw new TypeError('fetch failed', { cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }) })
  }
}

/** Lets the bucket refuse the first uploads with a new key, as it does until IAM's change is known everywhere. */
function refuseUploads(times: number): void {
  world.interceptors.aws = async (request, pass) =>
    request.method === 'PUT' && request.url.includes('upload_key_probe') && times-- > 0
      ? new Response('<Error><Code>InvalidAccessKeyId</Code></Error>', { status: 403 })
      : pass()
}

describe('rotateUploadKey', () => {
  it('puts a new key in use as Secrets Manager asks for it, and keeps the former one', async () => {
    world.rotators.upload = (event) => run(world, 'rotateUploadKey', event as never)
    await world.beginRotation('upload')
    await world.secrets.settled()
    const [first, second] = world.uploadKeys()
    expect(first).toEqual({ accessKeyId: world.firstKey.accessKeyId, status: 'Active' })
    expect(await keyIn()).toBe(second?.accessKeyId)
    expect(targets).toEqual([second?.accessKeyId])
    expect(await followUp()).toMatchObject({ outcome: 'done', deactivated: [first?.accessKeyId] })
  })

  it.each([{}, { making: { name: 'Live', known: [] } }])(
    'has nothing to test at the first deployment, whose project secret is %j, and says so in its log',
    async (secret) => {
      const lines = vi.spyOn(console, 'log').mockImplementation(() => {})
      await world.services.projectSecretRotation.replace(secret)
      const version = await world.beginRotation('upload')
      const { accessKeyId, secretAccessKey } = world.firstKey
      await world.services.uploadKeyRotation.store(version, { accessKeyId, secretAccessKey }) // Secrets Manager's copy
      expect(await step('testSecret', version)).toEqual({ outcome: 'done' })
      expect(String(lines.mock.calls)).toContain('not tested: the project’s secret holds no key yet')
      expect(targets).toEqual([])
      expect(keys()).toEqual(['Active'])
      vi.restoreAllMocks()
    },
  )

  it('does each step as often as it is asked for with the same end', async () => {
    const version = await rotate(3)
    expect(keys()).toEqual(['Active', 'Active'])
    expect(new Set(targets)).toEqual(new Set([await keyIn()]))
    for (const name of rotationSteps) expect(await step(name, version)).toEqual({ outcome: 'done before' })
    expect(keys()).toEqual(['Active', 'Active'])
  })

  it('keeps the current key until the new one is the target', async () => {
    const version = await world.beginRotation('upload')
    await step('createSecret', version)
    expect(await keyIn()).toBe(world.firstKey.accessKeyId)
    expect(await keyIn('AWSPENDING')).not.toBe(world.firstKey.accessKeyId)
    expect(targets).toEqual([])
  })

  it('waits until the new key is known, before it is pending', async () => {
    refuseUploads(4)
    const version = await world.beginRotation('upload')
    await step('createSecret', version)
    await step('setSecret', version)
    refuseUploads(3)
    await step('testSecret', version)
    expect(await world.services.storage.sizeOf(`${world.platform.apiKey}/upload_key_probe/archive.mp4`)).toBe(0)
  })

  it('deletes a key that the bucket does not take within a minute', async () => {
    refuseUploads(Number.POSITIVE_INFINITY)
    const version = await world.beginRotation('upload')
    await expect(step('createSecret', version)).rejects.toMatchObject({
      name: 'ServiceError',
      message: expect.stringMatching(/^The bucket refuses uploads with the new key AKIA/),
    })
    expect(world.uploadKeys()).toHaveLength(1)
    expect(await keyIn('AWSPENDING')).toBeUndefined()
  })

  it('makes another key where the answer that held the secret was lost', async () => {
    loseAnswer('CreateAccessKey')
    const version = await rotate()
    expect(keys()).toEqual(['Active', 'Active'])
    expect(await step('testSecret', version)).toEqual({ outcome: 'done before' })
  })

  it.each([
    ['CreateAccessKey', false],
    ['ListAccessKeys', true],
    ['PutSecretValue', true],
    ['PutSecretValue', false],
    ['UpdateSecretVersionStage', true],
    ['UpdateSecretVersionStage', false],
    ['DescribeSecret', true],
  ])('resumes where %s failed (done: %s), and leaves no key behind', async (operation, isDone) => {
    const version = await world.beginRotation('upload')
    loseAnswer(operation, isDone)
    for (const name of rotationSteps) await step(name, version).catch(() => step(name, version))
    expect(keys()).toEqual(['Active', 'Active'])
    expect(await keyIn()).not.toBe(world.firstKey.accessKeyId)
    expect(targets.at(-1)).toBe(await keyIn())
  })

  it('ends without the new key if that was deleted before its storage arrived, and uploads use the current key', async () => {
    const version = await world.beginRotation('upload')
    const current = await keyIn()
    let arrive: () => Promise<unknown> = async () => {}
    world.interceptors.aws = async (request, pass) => {
      if (!(await isAws(request, 'PutSecretValue'))) return pass()
      arrive = pass
      throw new TypeError('fetch failed')
    }
    await expect(step('createSecret', version)).rejects.toThrow('Secrets Manager failed')
    await arrive()
    expect(await keyIn(version)).not.toBe(current)
    await expect(step('createSecret', version)).rejects.toThrow(/does not exist, so the rotation has ended/)
    expect([targets, await keyIn('AWSPENDING'), await keyIn()]).toEqual([[current], undefined, current])
    await expect(step('setSecret', version)).rejects.toThrow('is not pending')
    world.interceptors.aws = (_request, pass) => pass()
    await rotate()
    expect(await keyIn()).not.toBe(current)
  })

  it('is run again from its beginning by Secrets Manager when it failed midway', async () => {
    world.rotators.upload = (event) => run(world, 'rotateUploadKey', event as never)
    world.interceptors.platform = notingTargets(refusing(isTarget, 500, 3))
    await world.beginRotation('upload')
    await world.clock.advance(0)
    expect(await keyIn()).toBe(world.firstKey.accessKeyId)
    await world.clock.advance(60_000)
    await world.secrets.settled()
    expect(keys()).toEqual(['Active', 'Active'])
    expect(await keyIn()).not.toBe(world.firstKey.accessKeyId)
  })

  it('keeps the former key while an archive is started or stopped, and an upload with it arrives', async () => {
    const { sessionId, recordings, guest } = await bringLive(world)
    const [{ archiveId } = { archiveId: '' }] = recordings
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const usedKeys = new Set<string>()
    world.interceptors.uploads = async (request, pass) => {
      usedKeys.add(/Credential=(\w+)/.exec(request.headers.get('authorization') ?? '')?.[1] ?? '')
      begin()
      await released
      return pass()
    }
    await world.platform.call('stopArchive', { archiveId })
    await begun // with the key of that time
    await rotate()
    const former = world.firstKey.accessKeyId
    expect(await followUp()).toEqual({ outcome: 'done', deactivated: [], deleted: [], kept: [former] })
    expect(keys()).toEqual(['Active', 'Active'])

    for (const other of recordings.slice(1)) await world.platform.call('stopArchive', { archiveId: other.archiveId })
    const { body } = await world.platform.call('listArchives', { sessionId })
    expect(body.items.map(({ status }: { status: string }) => status)).toEqual(['stopped', 'stopped'])
    expect(await followUp()).toMatchObject({ kept: [former] })

    release()
    await guest.leave()
    await world.clock.advance(0)
    expect(usedKeys).toEqual(new Set([former, await keyIn()]))
    for (const { archiveId } of recordings) {
      expect((await world.platform.call('getArchive', { archiveId })).body.status).toBe('uploaded')
      expect(await world.services.storage.sizeOf(`${world.platform.apiKey}/${archiveId}/archive.mp4`)).toBeGreaterThan(
        0,
      )
    }
  })

  it('retires the former key in two steps once nothing is under way', async () => {
    await rotate()
    const former = world.firstKey.accessKeyId
    expect(await followUp()).toMatchObject({ deactivated: [former] })
    expect(keys()).toEqual(['Inactive', 'Active'])
    expect(await followUp()).toMatchObject({ deleted: [former] })
    expect(await followUp()).toMatchObject({ outcome: 'nothing to do' })
    expect(world.uploadKeys()).toEqual([{ accessKeyId: await keyIn(), status: 'Active' }])
  })

  it('finds an archive under way among many later ones', async () => {
    const { recordings } = await bringLive(world)
    await rotate()
    const archive = (status: string) => ({ ...recordings[0], id: status, status })
    const pages = [
      { count: 1_001, items: Array.from({ length: 1_000 }, () => archive('uploaded')) },
      { count: 1_001, items: [archive('paused')] },
    ]
    const { body: sample } = await world.platform.call('getArchive', { archiveId: recordings[0]?.archiveId })
    world.interceptors.platform = async (request, pass) => {
      if (!isCall('GET', /\/archive$/)(request)) return pass()
      const page = pages.shift()
      return Response.json({ ...page, items: page?.items.map(({ id, status }) => ({ ...sample, id, status })) })
    }
    expect(await followUp()).toMatchObject({ kept: [world.firstKey.accessKeyId] })
    expect(pages).toEqual([])
  })

  it('rotates twice in a row without an upload under way, and else reports what it waits for', async () => {
    const { recordings, guest } = await bringLive(world)
    await rotate()
    const second = await world.beginRotation('upload')
    await expect(step('createSecret', second)).rejects.toMatchObject({
      name: 'ServiceError',
      message: expect.stringContaining(`the former one (${world.firstKey.accessKeyId}) may be in use`),
    })
    expect(keys()).toEqual(['Active', 'Active'])
    for (const { archiveId } of recordings) await world.platform.call('stopArchive', { archiveId })
    await guest.leave()
    await world.clock.advance(600_000)
    for (const name of rotationSteps) await step(name, second)
    expect(world.uploadKeys().map(({ accessKeyId }) => accessKeyId)).not.toContain(world.firstKey.accessKeyId)
    expect(keys()).toEqual(['Active', 'Active'])
    expect(targets.at(-1)).toBe(await keyIn())
  })

  it('revokes the former key at once, and has room for another one then', async () => {
    await bringLive(world)
    await world.clock.advance(1_000)
    await rotate()
    const second = await world.beginRotation('upload')
    await expect(step('createSecret', second)).rejects.toMatchObject({ name: 'ServiceError' })
    const { accessKeyId } = world.firstKey
    expect(await revoke()).toMatchObject({ outcome: 'done', deactivated: [accessKeyId], deleted: [] })
    expect(keys()).toEqual(['Inactive', 'Active'])
    for (const name of rotationSteps) await step(name, second)
    expect(world.uploadKeys().map((key) => key.accessKeyId)).not.toContain(accessKeyId)
    expect(await revoke()).toMatchObject({ outcome: 'done' })
    expect(keys()).toEqual(['Inactive', 'Active'])
    expect(targets.at(-1)).toBe(await keyIn())
    expect(await revoke()).toMatchObject({ outcome: 'nothing to do' })
  })

  it('leaves what was being uploaded with a revoked key to the fallback and the rescue', async () => {
    const { showId, sessionId, recordings, guest } = await bringLive(world, { ...webinar, broadcasts: [] })
    const [{ archiveId } = { archiveId: '' }] = recordings
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    world.interceptors.uploads = async (_request, pass) => {
      begin()
      await released
      return pass()
    }
    await world.platform.call('stopArchive', { archiveId })
    await begun // with the key of that time
    await rotate()
    await revoke()
    release()
    await guest.leave()
    await run(world, 'stopShow', { showId, sessionId, reason: 'It ended.', failure: null })
    await world.clock.advance(600_000)
    const { stranded } = await run(world, 'checkUploads', { showId, sessionId })
    expect(stranded).toMatchObject([{ archiveId }])
    for (const one of stranded) await run(world, 'rescueArchive', { showId, ...one })
    const { size } = (await world.platform.call('getArchive', { archiveId })).body
    expect(await world.services.storage.sizeOf(`${world.platform.apiKey}/${archiveId}/archive.mp4`)).toBe(size)
  })

  it('revokes also while the platform is away, and never the key that a rotation has just made', async () => {
    await world.clock.advance(1_000)
    await rotate()
    world.interceptors.platform = refusing(() => true, 503)
    await expect(revoke()).rejects.toThrow()
    expect(keys()).toEqual(['Inactive', 'Active'])
    world.interceptors.platform = notingTargets()
    await followUp()
    await world.beginRotation('upload')
    await world.clock.advance(1_000)
    await world.services.accessKeys.create()
    expect(await revoke()).toMatchObject({ deactivated: [] })
    expect(keys()).toEqual(['Active', 'Active'])
  })

  it('leaves all keys alone while a rotation is under way', async () => {
    await world.beginRotation('upload')
    await world.services.accessKeys.create() // as createSecret has just done it
    expect(await followUp()).toEqual({ outcome: 'nothing to do' })
    expect(keys()).toEqual(['Active', 'Active'])
  })

  it('points uploads at the key in use before it retires another', async () => {
    await rotate()
    await world.platform.call('setUploadTarget', {
      type: 's3',
      config: { accessKey: world.firstKey.accessKeyId, secretKey: 'a', bucket: BUCKET },
    })
    await followUp()
    expect(targets.at(-1)).toBe(await keyIn())
  })

  it.each(['setSecret', 'testSecret', 'finishSecret'] as const)(
    'does not do %s before there is a key',
    async (name) => {
      const version = await world.beginRotation('upload')
      await expect(step(name, version)).rejects.toMatchObject({ name: 'TaskInputError' })
      expect(await keyIn()).toBe(world.firstKey.accessKeyId)
    },
  )

  it('refuses a version that is not pending, and another secret', async () => {
    await expect(step('createSecret', 'unknown')).rejects.toMatchObject({ name: 'TaskInputError' })
    const other = { Step: 'createSecret', SecretId: world.secretArns.project, ClientRequestToken: 'a' } as const
    await expect(run(world, 'rotateUploadKey', other)).rejects.toMatchObject({ name: 'TaskInputError' })
    expect(keys()).toEqual(['Active'])
  })
})
