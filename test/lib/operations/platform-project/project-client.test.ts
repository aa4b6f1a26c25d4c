import { jwtVerify } from 'jose'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { TaskConfigError } from '../../../../lib/tasks/errors.ts'
import { openWorld, type World } from '../../../support/world.ts'

let world: World
/** What Secrets Manager answers from now on, besides what it really has. */
let secrets: string[]
beforeEach(() => {
  world = openWorld()
  secrets = []
  world.interceptors.aws = async (request, pass) => {
    const { VersionStage = 'AWSCURRENT' } = (await request.clone().json()) as { VersionStage?: string }
    const SecretString = VersionStage === 'AWSCURRENT' ? secrets.shift() : undefined
    return SecretString === undefined ? pass() : Response.json({ ARN: 'arn', SecretString })
  }
})
afterEach(() => world.close())

const secret = (apiSecret: string) => JSON.stringify({ apiKey: world.platform.apiKey, apiSecret })

describe('createProject', () => {
  it('makes one client for the project that the secret names', async () => {
    const client = await world.services.platform()
    expect(await world.services.platform()).toBe(client)
    expect(await client.listArchives()).toMatchObject({ count: 0 })
  })

  it('reads a rotated secret once more when the platform refuses the one it had', async () => {
    secrets.push(secret('the one before'))
    const client = await world.services.platform()
    expect(await client.listArchives()).toMatchObject({ count: 0 })
    expect(world.calls).toHaveLength(2)
  })

  it('fails when the fresh secret is refused too', async () => {
    secrets.push(secret('the one before'), secret('another wrong one'))
    const client = await world.services.platform()
    await expect(client.listArchives()).rejects.toMatchObject({ name: 'PlatformAuthError' })
    expect(world.calls).toHaveLength(2)
  })

  it('works as soon as the secret holds a value', async () => {
    secrets.push('random letters of a new secret')
    await expect(world.services.platform()).rejects.toThrow(TaskConfigError)
    await expect((await world.services.platform()).listArchives()).resolves.toMatchObject({ count: 0 })
  })

  it('returns the project’s API key without a platform call', async () => {
    expect(await world.services.project.apiKey()).toBe(world.platform.apiKey)
    expect(world.calls).toEqual([])
  })

  it('lets the platform bring a publisher into a session, by the secret as it is now', async () => {
    await world.services.platform()
    secrets.push(secret('the new one'))
    const sessionId = await world.platform.createSession()
    const token = await world.services.project.publisherToken(sessionId, {})
    const { payload } = await jwtVerify(token, new TextEncoder().encode('the new one'), {
      currentDate: new Date(world.clock.now()),
    })
    expect(payload).toMatchObject({ iss: world.platform.apiKey, session_id: sessionId, role: 'publisher' })
  })
})
