import { describe, expect, it } from 'vitest'
import { AUTH_HEADER } from '../../../../lib/platform/contract/tokens.ts'
import { createMediaOff } from '../../../../local/sandbox/media/media-off.ts'
import { openSandbox } from '../open-sandbox.ts'

const MINUTE = 60_000

type World = ReturnType<typeof openSandbox>

/** Opens a second project that can be used already. */
async function openProject(options: Parameters<typeof openSandbox>[0] = {}) {
  const world = openSandbox(options)
  const { id: apiKey, secret: apiSecret } = (await world.call('createProject', { name: 'Second' })).body
  await world.clock.advance(MINUTE)
  return { ...world, second: { apiKey, apiSecret } }
}

async function record({ call, createSession, join }: World) {
  const sessionId = await createSession()
  const participant = await join(sessionId, { name: 'Ada' })
  const { body } = await call('startArchive', { sessionId })
  return { sessionId, participant, archiveId: body.id as string }
}

describe('createProject', () => {
  it('creates a project with or without a name', async () => {
    const { call, send, sign, accountKey, accountSecret, clock } = openSandbox()
    const { body } = await call('createProject', { name: 'Conference' })
    expect(body).toEqual({
      id: expect.stringMatching(/^[1-9]\d{7}$/),
      secret: expect.stringMatching(/^[0-9a-f]{40}$/),
      status: 'ACTIVE',
      name: 'Conference',
      environment: 'standard',
      createdAt: clock.now(),
    })
    const headers = { [AUTH_HEADER]: await sign({ iss: accountKey, ist: 'account' }, accountSecret) }
    expect(await send('POST', '/v2/project', { headers })).toMatchObject({ status: 200, body: { name: '' } })
  })

  it('creates a project whose key is accepted after 60 s', async () => {
    const { call, clock } = openSandbox()
    const { body } = await call('createProject')
    const created = { apiKey: body.id, apiSecret: body.secret }
    const use = async () => await call('createSession', {}, created)
    await clock.advance(MINUTE - 1)
    expect(await use()).toEqual({
      status: 403,
      body: { code: 403, message: 'The project is new: its key can be used within a minute.' },
    })
    await clock.advance(1)
    expect((await use()).status).toBe(200)
  })

  it('keeps projects separate', async () => {
    const world = await openProject()
    const { call, apiKey, second, send, sign } = world
    const { sessionId, archiveId } = await record(world)
    expect((await call('listArchives', {}, second)).body).toEqual({ count: 0, items: [] })
    expect((await call('getArchive', { archiveId }, second)).status).toBe(400)
    expect((await call('stopArchive', { archiveId }, second)).status).toBe(404)
    expect((await call('startArchive', { sessionId }, second)).status).toBe(404)
    expect((await call('listStreams', { sessionId }, second)).status).toBe(404)
    const foreign = { [AUTH_HEADER]: await sign({ iss: second.apiKey }, second.apiSecret) }
    expect((await send('GET', `/v2/project/${apiKey}/archive/${archiveId}`, { headers: foreign })).status).toBe(403)

    const [{ session_id: own }] = (await call('createSession', {}, second)).body
    await world.join(own)
    const { body: archive } = await call('startArchive', { sessionId: own }, second)
    expect(archive.projectId).toBe(Number(second.apiKey))
    expect((await call('listArchives')).body.count).toBe(1)
  })
})

describe('credentials', () => {
  it.each([
    'createProject',
    'setProjectStatus',
    'deleteProject',
    'getProject',
    'listProjects',
    'refreshSecret',
  ] as const)('%s is refused to a project, even under the account’s ist', async (name) => {
    const { sandbox, sign, apiKey, apiSecret, accountSecret, accountKey } = openSandbox()
    const paths = { createProject: ['POST', ''], listProjects: ['GET', ''], getProject: ['GET', `/${apiKey}`] }
    const more = { setProjectStatus: ['PUT', `/${apiKey}`], deleteProject: ['DELETE', `/${apiKey}`] }
    const [method = '', path = ''] = { ...paths, ...more, refreshSecret: ['POST', `/${apiKey}/refreshSecret`] }[name]
    const messages = await Promise.all(
      [
        await sign(),
        await sign({ ist: 'account' }),
        await sign({ ist: 'account' }, accountSecret),
        await sign({ iss: accountKey, ist: 'project' }, accountSecret),
        await sign({ iss: accountKey, ist: 'account' }, apiSecret),
      ].map(async (token) => {
        const init = { method, headers: { [AUTH_HEADER]: token } }
        const response = await sandbox.fetch(new Request(`http://localhost/v2/project${path}`, init))
        return `${response.status} ${((await response.json()) as { message: string }).message}`
      }),
    )
    expect(messages).toEqual([
      '403 The token’s ist must be account for this operation.',
      '403 The token’s iss is a project’s key: this operation needs the account’s.',
      '403 The token’s signature does not match the project’s secret.',
      '403 The token’s ist must be account for this operation.',
      '403 The token’s signature does not match the project’s secret.',
    ])
  })

  it('of the account open no project’s operation', async () => {
    const { send, sign, accountKey, accountSecret, apiKey } = openSandbox()
    const list = async (claims: Record<string, unknown>) => {
      const headers = { [AUTH_HEADER]: await sign({ iss: accountKey, ...claims }, accountSecret) }
      return (await send('GET', `/v2/project/${apiKey}/archive`, { headers })).body.message
    }
    expect(await list({ ist: 'account' })).toBe('The token’s ist must be project for this operation.')
    expect(await list({ ist: 'project' })).toBe(
      'The token’s iss is the account’s key: this operation needs a project’s.',
    )
  })
})

describe('setProjectStatus', () => {
  it('suspends a project: its key, its sessions and its clients', async () => {
    const { sandbox, ...world } = openSandbox()
    const { call, send, clock, log } = world
    const { sessionId, archiveId } = await record({ sandbox, ...world })
    expect((await call('setProjectStatus', { status: 'SUSPENDED' })).body.status).toBe('SUSPENDED')
    const message = 'The project is suspended: its key cannot be used.'
    expect(await call('createSession')).toEqual({ status: 403, body: { code: 403, message } })
    expect(await call('getArchive', { archiveId })).toMatchObject({ status: 403 })
    const join = await send('POST', `/sandbox/sessions/${sessionId}/participants`, { body: '{}' })
    expect(join).toMatchObject({ status: 403, body: { message: expect.stringContaining('suspended') } })

    await clock.advance(MINUTE)
    expect((await call('setProjectStatus', { status: 'ACTIVE' })).body.status).toBe('ACTIVE')
    expect((await call('getArchive', { archiveId })).body).toMatchObject({
      status: 'available',
      reason: 'session ended',
    })
    expect(log.every(({ status }) => status !== 500)).toBe(true)
  })

  it('accepts the current status', async () => {
    const { call } = openSandbox()
    expect((await call('setProjectStatus', { status: 'ACTIVE' })).status).toBe(200)
    await call('setProjectStatus', { status: 'SUSPENDED' })
    expect((await call('setProjectStatus', { status: 'SUSPENDED' })).status).toBe(200)
    expect((await call('setProjectStatus', { apiKey: '100001', status: 'ACTIVE' })).status).toBe(403)
  })
})

describe('deleteProject', () => {
  it('refuses the key at once and stops everything that runs', async () => {
    const finished: string[] = []
    const world = openSandbox({
      media(clock) {
        const off = createMediaOff(clock)
        const startArchive: typeof off.startArchive = async (spec) => {
          const recorder = await off.startArchive(spec)
          const finish = () => {
            finished.push(spec.id)
            return recorder.finish()
          }
          return { ...recorder, finish }
        }
        return { ...off, startArchive }
      },
    })
    const { sessionId, archiveId } = await record(world)
    expect((await world.call('deleteProject')).status).toBe(204)
    expect((await world.call('listArchives')).body.message).toBe('The token’s iss is not the API key of a project.')
    expect((await world.call('deleteProject')).status).toBe(404)
    expect((await world.call('listProjects')).body).toEqual([])
    const again = await world.send('POST', `/sandbox/sessions/${sessionId}/participants`, {
      headers: { [AUTH_HEADER]: '' },
      body: '{}',
    })
    expect(again).toMatchObject({ status: 403, body: { message: 'The session’s project has been deleted.' } })
    await world.clock.advance(MINUTE - 1)
    expect(finished).toEqual([])
    await world.clock.advance(80 * 60 * MINUTE) // past its file's expiry as well
    expect(finished).toEqual([archiveId])
  })
})

describe('getProject and listProjects', () => {
  it('show the current secret, oldest project first', async () => {
    const { call, apiKey, apiSecret, second } = await openProject()
    const { body } = await call('listProjects')
    expect(body.map(({ id, secret }: { id: string; secret: string }) => [id, secret])).toEqual([
      [apiKey, apiSecret],
      [second.apiKey, second.apiSecret],
    ])
    expect((await call('getProject', { apiKey: second.apiKey })).body).toEqual(body[1])
  })
})

describe('refreshSecret', () => {
  it('voids the old secret at once, shows the new one, and leaves clients and archive URLs alone', async () => {
    const world = openSandbox()
    const { call, sandbox, apiKey, apiSecret, clock } = world
    const { archiveId, sessionId } = await record(world)
    await clock.advance(MINUTE)
    await call('stopArchive', { archiveId })
    await clock.advance(0)
    const { url } = (await call('getArchive', { archiveId })).body

    const { secret } = (await call('refreshSecret')).body
    expect(secret).toMatch(/^[0-9a-f]{40}$/)
    expect(secret).not.toBe(apiSecret)
    expect((await call('getProject')).body.secret).toBe(secret)
    expect((await call('listStreams', { sessionId })).status).toBe(403)
    const streams = await call('listStreams', { sessionId }, { apiKey, apiSecret: secret })
    expect(streams).toMatchObject({ status: 200, body: { count: 1 } })
    expect((await sandbox.fetch(new Request(url))).status).toBe(200)
  })
})
