import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { rotationSteps } from '../../../lib/tasks/operations.ts'
import { refusing } from '../../support/world/interceptors.ts'
import { run } from '../run.ts'
import { isTarget, type KeyRotation, openKeyRotation } from './upload-key-rotation.ts'

let rotation: KeyRotation
beforeEach(() => {
  rotation = openKeyRotation()
})
afterEach(() => rotation.world.close())

/** Returns whether a request calls this operation of IAM or Secrets Manager. */
const isAws = async (request: Request, operation: string) =>
  request.headers.get('x-amz-target') === `secretsmanager.${operation}` ||
  (request.method === 'POST' && (await request.clone().text()).includes(`Action=${operation}&`))

/** Loses the first answer of an operation, which happens or not. */
function loseAnswer(operation: string, isDone = true): void {
  let isLost = false
  rotation.world.interceptors.aws = async (request, pass) => {
    if (isLost || !(await isAws(request, operation))) return pass()
    isLost = true
    if (isDone) await pass()
    throw new TypeError('fetch failed', { cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }) })
  }
}

/** Lets the bucket refuse the first uploads with a new key, as it does until the change has propagated in IAM. */
function refuseUploads(times: number, onRefusal: (request: Request) => Promise<unknown> = async () => {}): void {
  rotation.world.interceptors.aws = async (request, pass) => {
    if (request.method !== 'PUT' || !request.url.includes('upload_key_probe') || times-- <= 0) return pass()
    await onRefusal(request)
    return new Response('<Error><Code>InvalidAccessKeyId</Code></Error>', { status: 403 })
  }
}

describe('rotateUploadKey', () => {
  it('rotates as Secrets Manager asks for it, and keeps the former key', async () => {
    const { world, targets, followUp, keyIn, rotateBySecretsManager } = rotation
    rotateBySecretsManager()
    await world.beginRotation('upload')
    await world.secrets.settled()
    const [first, second] = world.uploadKeys()
    expect(first).toEqual({ accessKeyId: world.firstKey.accessKeyId, status: 'Active' })
    expect(await keyIn()).toBe(second?.accessKeyId)
    expect(targets).toEqual([second?.accessKeyId])
    expect(await followUp()).toMatchObject({ outcome: 'done', deactivated: [first?.accessKeyId] })
  })

  it.each([{}, { making: { name: 'Live', known: [] } }])(
    'tests no key at the first deployment, whose project secret is %j, and logs it',
    async (secret) => {
      const { world, targets, step, statuses } = rotation
      const lines = vi.spyOn(console, 'log').mockImplementation(() => {})
      onTestFinished(() => lines.mockRestore())
      await world.services.projectSecretRotation.replace(secret)
      const version = await world.beginRotation('upload')
      const { accessKeyId, secretAccessKey } = world.firstKey
      await world.services.uploadKeyRotation.store(version, { accessKeyId, secretAccessKey }) // Secrets Manager's copy
      expect(await step('testSecret', version)).toEqual({ outcome: 'done' })
      expect(String(lines.mock.calls)).toContain('not tested: the project’s secret holds no key yet')
      expect(targets).toEqual([])
      expect(statuses()).toEqual(['Active'])
    },
  )

  it('leads to the same keys however often each step is repeated', async () => {
    const { targets, step, rotate, keyIn, statuses } = rotation
    const version = await rotate(3)
    expect(statuses()).toEqual(['Active', 'Active'])
    expect(new Set(targets)).toEqual(new Set([await keyIn()]))
    for (const name of rotationSteps) expect(await step(name, version)).toEqual({ outcome: 'done before' })
    expect(statuses()).toEqual(['Active', 'Active'])
  })

  it('keeps the current key until the new one is the target of uploads and has been tested', async () => {
    const { world, targets, step, keyIn } = rotation
    const version = await world.beginRotation('upload')
    await step('createSecret', version)
    const pending = await keyIn('AWSPENDING')
    expect(pending).toMatch(/^AKIA/)
    expect([await keyIn(), targets]).toEqual([world.firstKey.accessKeyId, []])
    await step('setSecret', version)
    expect([await keyIn(), targets]).toEqual([world.firstKey.accessKeyId, [pending]])
    await step('testSecret', version)
    expect(await keyIn()).toBe(world.firstKey.accessKeyId)
    await step('finishSecret', version)
    expect(await keyIn()).toBe(pending)
  })

  it('stores a new key as pending only once the bucket accepts it', async () => {
    const { world, step, keyIn } = rotation
    const pending: (string | undefined)[] = []
    refuseUploads(4, async () => pending.push(await keyIn('AWSPENDING')))
    const version = await world.beginRotation('upload')
    await step('createSecret', version)
    expect(pending).toEqual(Array(4).fill(undefined))
    expect(await keyIn('AWSPENDING')).toBeDefined()
  })

  it('tests a pending key until the bucket accepts it', async () => {
    const { world, step } = rotation
    const version = await world.beginRotation('upload')
    await step('createSecret', version)
    await step('setSecret', version)
    const refused: string[] = []
    refuseUploads(3, async (request) => refused.push(new URL(request.url).pathname))
    expect(await step('testSecret', version)).toEqual({ outcome: 'done' })
    const probe = `${world.platform.apiKey}/upload_key_probe/archive.mp4`
    expect(refused).toEqual(Array(3).fill(expect.stringContaining(probe)))
    expect(await world.services.storage.sizeOf(probe)).toBe(0)
  })

  it('deletes a key that the bucket does not take within a minute', async () => {
    const { world, step, keyIn } = rotation
    refuseUploads(Number.POSITIVE_INFINITY)
    const version = await world.beginRotation('upload')
    await expect(step('createSecret', version)).rejects.toMatchObject({
      name: 'ServiceError',
      message: expect.stringMatching(/^The bucket refuses uploads with the new key AKIA/),
    })
    expect(world.uploadKeys()).toHaveLength(1)
    expect(await keyIn('AWSPENDING')).toBeUndefined()
  })

  it.each(['setSecret', 'testSecret', 'finishSecret'] as const)('refuses %s before a key was created', async (name) => {
    const { world, step, keyIn } = rotation
    const version = await world.beginRotation('upload')
    await expect(step(name, version)).rejects.toMatchObject({ name: 'TaskInputError' })
    expect(await keyIn()).toBe(world.firstKey.accessKeyId)
  })

  it('refuses a version that is not pending, and another secret', async () => {
    const { world, step, statuses } = rotation
    await expect(step('createSecret', 'unknown')).rejects.toMatchObject({ name: 'TaskInputError' })
    const other = { Step: 'createSecret', SecretId: world.secretArns.project, ClientRequestToken: 'a' } as const
    await expect(run(world, 'rotateUploadKey', other)).rejects.toMatchObject({ name: 'TaskInputError' })
    expect(statuses()).toEqual(['Active'])
  })
})

describe('rotateUploadKey after a failure', () => {
  it('creates another key if the answer with the secret was lost', async () => {
    const { step, rotate, statuses } = rotation
    loseAnswer('CreateAccessKey')
    const version = await rotate()
    expect(statuses()).toEqual(['Active', 'Active'])
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
  ])('resumes after %s failed (done: %s), and leaves no key behind', async (operation, isDone) => {
    const { world, targets, step, keyIn, statuses } = rotation
    const version = await world.beginRotation('upload')
    loseAnswer(operation, isDone)
    for (const name of rotationSteps) await step(name, version).catch(() => step(name, version))
    expect(statuses()).toEqual(['Active', 'Active'])
    expect(await keyIn()).not.toBe(world.firstKey.accessKeyId)
    expect(targets.at(-1)).toBe(await keyIn())
  })

  it('ends the rotation if the pending key was deleted before its storage arrived, and uploads use the current key', async () => {
    const { world, targets, step, rotate, keyIn } = rotation
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

  it('is repeated from its first step by Secrets Manager after a failure', async () => {
    const { world, keyIn, statuses, interceptPlatform, rotateBySecretsManager } = rotation
    rotateBySecretsManager()
    interceptPlatform(refusing(isTarget, 500, 3))
    await world.beginRotation('upload')
    await world.clock.advance(0)
    expect(await keyIn()).toBe(world.firstKey.accessKeyId)
    await world.clock.advance(60_000)
    await world.secrets.settled()
    expect(statuses()).toEqual(['Active', 'Active'])
    expect(await keyIn()).not.toBe(world.firstKey.accessKeyId)
  })
})
