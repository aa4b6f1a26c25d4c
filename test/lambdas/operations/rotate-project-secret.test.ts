import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { keys } from '../../../lib/show/state/keys.ts'
import { rotationSteps } from '../../../lib/tasks/operations.ts'
import { isCall, losingAnswers, losingRequests, refusing } from '../../support/world/interceptors.ts'
import { openWorld, type World, webinar } from '../../support/world.ts'
import { bringLive, run, settled } from '../run.ts'

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(() => world.close())

type Step = (typeof rotationSteps)[number]
const step = (Step: Step, ClientRequestToken: string) =>
  run(world, 'rotateProjectSecret', { Step, SecretId: world.secretArns.project, ClientRequestToken })
const followUp = () => run(world, 'rotateProjectSecret', { Step: 'followUp' })
const isRefresh = isCall('POST', /\/refreshSecret$/)

async function rotate(times = 1): Promise<string> {
  const version = await world.beginRotation('project')
  for (const name of rotationSteps) for (let time = 0; time < times; time++) await step(name, version)
  return version
}

const secretIn = async (stage?: string) =>
  ((await world.valueOf('project', stage)) as { apiSecret: string } | undefined)?.apiSecret
const refreshes = () => world.calls.filter((call) => call === 'POST /refreshSecret').length
/** The platform's own idea of the secret. */
const platformSecret = async () => (await world.platform.call('getProject')).body.secret
const mayStart = async () => (await world.services.rotationLock.reason()) === undefined
const begin = (showId: string) =>
  run(world, 'acceptShow', { executionName: showId, startedAt: world.now(), request: { showId } })

describe('rotateProjectSecret', () => {
  it('puts a new secret in use as Secrets Manager asks for it', async () => {
    world.rotators.project = (event) => run(world, 'rotateProjectSecret', event as never)
    await world.services.platform()
    await world.beginRotation('project')
    await world.secrets.settled()
    expect(await secretIn()).not.toBe(world.platform.apiSecret)
    expect(await secretIn()).toBe(await platformSecret())
    const client = await world.services.platform() // which has the former one still
    await expect(client.listArchives()).resolves.toMatchObject({ count: 0 })
    expect(await mayStart()).toBe(true)
  })

  it('has nothing to test at the first deployment, whose secret holds no key yet, and replaces nothing', async () => {
    const { projectSecretRotation: rotation } = world.services
    await rotation.replace({})
    const version = await world.beginRotation('project')
    await rotation.store(version, {}) // as Secrets Manager copies it to try a schedule
    expect(await step('testSecret', version)).toEqual({ outcome: 'done' })
    await expect(step('finishSecret', version)).rejects.toMatchObject({ name: 'TaskConfigError' })
    expect(world.calls).toEqual([])
  })

  it('refuses to rotate before the secret holds a key', async () => {
    await world.services.projectSecretRotation.replace({})
    const version = await world.beginRotation('project')
    await expect(step('createSecret', version)).rejects.toMatchObject({
      name: 'TaskConfigError',
      message: expect.stringContaining('(apiKey, apiSecret): correct its value.'),
    })
    expect(await mayStart()).toBe(true)
  })

  it('does each step as often as it is asked for with the same end', async () => {
    const version = await rotate(3)
    expect(refreshes()).toBe(1)
    for (const name of rotationSteps) expect(await step(name, version)).toEqual({ outcome: 'done before' })
    expect(await secretIn()).toBe(await platformSecret())
  })

  it('rotates twice in a row', async () => {
    await rotate()
    const first = await secretIn()
    await rotate()
    expect(await secretIn()).not.toBe(first)
    expect(await secretIn()).toBe(await platformSecret())
  })

  it('lets functions continue with the pending secret, the only one that the platform accepts', async () => {
    const client = await world.services.platform()
    const version = await world.beginRotation('project')
    await step('createSecret', version)
    expect(await secretIn()).toBe(world.platform.apiSecret)
    await expect(client.listArchives()).resolves.toMatchObject({ count: 0 })
    expect(await mayStart()).toBe(true)
  })

  it.each([
    ['happened', losingAnswers(isRefresh)],
    ['did not happen', losingRequests(isRefresh)],
  ])('recovers from a lost answer that %s', async (what, interceptor) => {
    const version = await world.beginRotation('project')
    world.interceptors.platform = interceptor
    if (what === 'did not happen') {
      await expect(step('createSecret', version)).rejects.toMatchObject({ name: 'PlatformUnavailableError' })
      expect(await mayStart()).toBe(false) // it may happen yet
      await world.clock.advance(240_000)
    }
    for (const name of rotationSteps) await step(name, version)
    expect(refreshes()).toBe(what === 'happened' ? 1 : 2)
    expect(await secretIn()).toBe(await platformSecret())
    expect(await mayStart()).toBe(true)
  })

  it('adopts what an attempt has changed that could not keep the new secret', async () => {
    const version = await world.beginRotation('project')
    world.interceptors.aws = async (request, pass) =>
      request.headers.get('x-amz-target') === 'secretsmanager.PutSecretValue'
        ? new Response('{"__type":"InternalServiceError"}', { status: 500 })
        : pass()
    await expect(step('createSecret', version)).rejects.toMatchObject({ name: 'ServiceError' })
    expect(await mayStart()).toBe(false)
    world.interceptors.aws = (_request, pass) => pass()
    await expect(step('createSecret', version)).rejects.toMatchObject({
      name: 'ServiceError',
      message: expect.stringMatching(/^Another call holds the rotation lock/),
    })
    await world.clock.advance(300_000)
    expect(await followUp()).toEqual({ outcome: 'done' })
    expect(refreshes()).toBe(1)
    expect(await secretIn()).toBe(await platformSecret())
  })

  it('adopts it while a show runs, which cannot call the platform until then', async () => {
    await bringLive(world)
    await world.beginRotation('project')
    await world.platform.call('refreshSecret')
    expect(await followUp()).toEqual({ outcome: 'done' })
    expect(refreshes()).toBe(0)
    expect(await secretIn()).toBe(await platformSecret())
    expect(await mayStart()).toBe(true)
  })

  it('lets shows start again at once when the platform surely refused', async () => {
    const version = await world.beginRotation('project')
    world.interceptors.platform = refusing(isRefresh, 403)
    await expect(step('createSecret', version)).rejects.toMatchObject({ name: 'PlatformAuthError' })
    expect(await mayStart()).toBe(true)
    expect(await secretIn()).toBe(await platformSecret())
  })

  it('waits until no show runs, and then continues automatically', async () => {
    const { showId } = await bringLive(world)
    const version = await world.beginRotation('project')
    await expect(step('createSecret', version)).rejects.toMatchObject({
      message: `The show ${showId} has not settled yet: the rotation continues once no show runs.`,
    })
    expect(await followUp()).toEqual({ outcome: 'waits', showId })
    expect(refreshes()).toBe(0)
    expect(await mayStart()).toBe(true)

    await world.services.records.settle(showId)
    expect(await followUp()).toEqual({ outcome: 'done' })
    expect(await followUp()).toEqual({ outcome: 'nothing to do' })
    expect(await secretIn()).toBe(await platformSecret())
  })

  it('does not wait for shows that are only scheduled', async () => {
    const start = { at: '2026-12-01T19:00:00', zone: 'Europe/Berlin' }
    const { show } = await world.accept(webinar, 'another')
    await world.services.records.settle('another')
    const acceptedAt = world.now()
    await world.services.records.acceptShow(
      { version: 1, showId: 'later', acceptedAt, show: { ...show, start } },
      'scheduled',
    )
    await rotate()
    expect(refreshes()).toBe(1)
  })

  it('keeps a show from starting while the secret is replaced', async () => {
    const version = await world.beginRotation('project')
    const waits: number[] = []
    world.interceptors.platform = async (request, pass) => {
      if (!isRefresh(request)) return pass()
      await world.accept()
      waits.push((await begin('a-show')).waitSeconds)
      return pass()
    }
    await step('createSecret', version)
    expect(waits).toEqual([2])
    expect((await world.services.shows.state('a-show')).waitsFor).toBe(
      'The secret of the platform project is being replaced',
    )
    await expect(begin('a-show')).resolves.toMatchObject({ showId: 'a-show', waitSeconds: 0 })
    expect(await world.services.shows.state('a-show')).not.toHaveProperty('waitsFor')
    await settled(world)
    await expect(run(world, 'openSession', { showId: 'a-show' })).resolves.toHaveProperty('sessionId')
  })

  it('lets go of a show that began at the same time', async () => {
    const version = await world.beginRotation('project')
    let isBegun = false
    world.interceptors.aws = async (request, pass) => {
      const response = await pass()
      if (!isBegun && request.method === 'PUT' && request.url.includes(keys.rotationLock)) {
        isBegun = true
        await world.accept()
      }
      return response
    }
    await expect(step('createSecret', version)).rejects.toThrow('The show a-show has not settled yet')
    await expect(begin('a-show')).resolves.toMatchObject({ showId: 'a-show' })
    expect(refreshes()).toBe(0)
  })

  it('does not wait for a show that waits for it, which would begin with a secret that is past', async () => {
    const version = await world.beginRotation('project')
    world.interceptors.platform = losingRequests(isRefresh)
    await expect(step('createSecret', version)).rejects.toMatchObject({ name: 'PlatformUnavailableError' })
    await world.accept()
    expect((await begin('a-show')).waitSeconds).toBeGreaterThan(0)
    await world.clock.advance(240_000)
    world.interceptors.platform = (_request, pass) => pass()
    await step('createSecret', version)
    expect((await begin('a-show')).waitSeconds).toBe(0)
    expect(refreshes()).toBeGreaterThan(0)
  })

  it('delays shows for at most half an hour, with any outcome', async () => {
    await world.services.rotationLock.begin('Something is being replaced', { busy: 180, longest: 1_800 })
    expect(await mayStart()).toBe(false)
    await world.clock.advance(1_800_000)
    expect(await mayStart()).toBe(true)
  })

  it.each(['testSecret', 'finishSecret'] as const)('does not do %s before there is a secret', async (name) => {
    const version = await world.beginRotation('project')
    await expect(step(name, version)).rejects.toMatchObject({ name: 'TaskInputError' })
    expect(await secretIn()).toBe(world.platform.apiSecret)
  })

  it('does not put in use what the platform does not accept', async () => {
    const version = await world.beginRotation('project')
    await step('createSecret', version)
    await world.platform.call('refreshSecret') // by hand
    await expect(step('testSecret', version)).rejects.toMatchObject({ name: 'PlatformAuthError' })
  })
})
