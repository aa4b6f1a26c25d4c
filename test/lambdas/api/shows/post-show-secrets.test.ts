import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { problemUri } from '../../../../lib/api/problem-names.ts'
import type { ShowDocument } from '../../../../lib/show/document/show.ts'
import { openWorld, type World, webinar } from '../../../support/world.ts'
import { call, executionsOf } from '../call.ts'

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await world.close()
})

const serverUrl = 'rtmp://live.example.com/app'
const show: ShowDocument = {
  ...webinar,
  broadcasts: [{ name: 'live', rtmp: [{ id: 'main', serverUrl, streamName: { secret: 'streams#main' } }] }],
  dialIns: [
    {
      name: 'desk',
      uri: 'sip:desk@example.com',
      headers: { 'X-Room': { secret: 'rooms#one' }, 'X-Plain': 'plain' },
      auth: { username: 'ada', password: { secret: 'phones#password' } },
      tones: { secret: 'phones#pin' },
    },
  ],
  callback: { url: 'https://app.example.com/events', secret: { secret: 'apps#callback' } },
}
const post = (query: Readonly<Record<string, string>> = {}, key?: string) =>
  call(world, 'POST /shows', { body: show, sub: 'app', query, ...(key !== undefined && { key }) })

/** Stores every secret of the show, bound to all of its servers. */
function keepAll(callback = 'c'.repeat(32)): void {
  const destinations = [serverUrl, 'sip:example.com', 'https://app.example.com/']
  world.keepShowSecret('streams', { main: 'key' }, destinations)
  world.keepShowSecret('rooms', { one: '1' }, destinations)
  world.keepShowSecret('phones', { password: 'p', pin: '1234' }, destinations)
  world.keepShowSecret('apps', { callback }, destinations)
}

describe('POST /shows, with secrets', () => {
  it.each([{}, { dryRun: 'true' }])(
    'refuses a show whose secrets are missing, with the path of each (%j)',
    async (query) => {
      const { status, body } = await post(query)
      expect([status, body.type]).toEqual([409, problemUri('invalid-secret')])
      const paths = body.problems.map(({ path }: { path: string }) => path)
      expect(paths).toEqual([
        'broadcasts[0].rtmp[0].streamName',
        'dialIns[0].headers.X-Room',
        'dialIns[0].auth.password',
        'dialIns[0].tones',
        'callback.secret',
      ])
      expect(body.problems[0].message).toMatch(
        /^cannot be used: The secret streams#main cannot be sent to rtmp:\/\/live\.example\.com: /,
      )
      expect(executionsOf(world)).toEqual([])
    },
  )

  it('refuses a secret that is not bound to its server, and one too short to sign', async () => {
    keepAll('short')
    world.keepShowSecret('streams2', { main: 'key' }, ['rtmp://elsewhere.example.com/'])
    const rtmp = [{ id: 'main', serverUrl, streamName: { secret: 'streams2#main' } }]
    const { body } = await call(world, 'POST /shows', { body: { ...show, broadcasts: [{ name: 'live', rtmp }] } })
    expect(body.problems).toMatchObject([
      { path: 'broadcasts[0].rtmp[0].streamName' },
      { path: 'callback.secret', message: expect.stringContaining('is too short: it needs 32 characters.') },
    ])
  })

  it('starts a show whose secrets can be used, and repeats its answer without reading them', async () => {
    keepAll()
    const first = await post({}, 'key')
    expect(first.status).toBe(202)
    world.interceptors.aws = async (request, pass) =>
      request.headers.get('x-amz-target')?.startsWith('secretsmanager.') ? new Response('', { status: 500 }) : pass()
    expect((await post({}, 'key')).body.showId).toBe(first.body.showId)
  })
})
