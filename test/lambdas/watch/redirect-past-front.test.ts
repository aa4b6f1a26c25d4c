import { afterEach, describe, expect, it } from 'vitest'
import { handler } from '../../../lambdas/watch/watch.ts'
import { CALLBACK_SECRET, invoke, openWorld, type World } from '../../support/world.ts'
import { call } from '../api/call.ts'
import { manifest } from '../api/recordings/recording.ts'

const FRONT = 'https://watch.example.com'
let world: World
afterEach(() => world.close())

const open = (changes: object = {}) => {
  world = openWorld({ WATCH_ORIGIN: FRONT, ...changes })
  return world
}
const ask = (path: string, headers: Record<string, string> = {}) =>
  invoke(handler, world.services, {
    ...{ version: '2.0', rawPath: path, rawQueryString: 'expires=1&signature=a', headers },
    queryStringParameters: { expires: '1', signature: 'a' },
    pathParameters: { archiveId: 'an-archive' },
    requestContext: { http: { method: 'GET', path } },
  })
/** The world's callback secret stands in for the one that the distribution sends. */
async function openBehindFront() {
  const id = open().services.variable('CALLBACK_SECRET')
  await world.close()
  open({ ORIGIN_SECRET: id })
}

describe('redirectPastFront', () => {
  it('redirects a page that is opened without the distribution, with its credentials', async () => {
    await openBehindFront()
    expect(await ask('/watch/an-archive')).toMatchObject({
      statusCode: 307,
      headers: { location: `${FRONT}/watch/an-archive?expires=1&signature=a` },
    })
  })

  it.each([{}, { 'x-showrunner-origin': 'guessed' }])('refuses everything else with %j', async (headers) => {
    await openBehindFront()
    for (const path of ['/watch/an-archive/recording', '/watch/an-archive/playlist', '/assets/watch.js'])
      expect(await ask(path, headers)).toMatchObject({ statusCode: 403 })
  })

  it('lets the distribution through, and still verifies the link', async () => {
    await openBehindFront()
    const answer = await ask('/watch/an-archive/recording', { 'x-showrunner-origin': CALLBACK_SECRET })
    expect(answer).toMatchObject({ statusCode: 403, body: expect.stringContaining('needs a signed link') })
  })

  it('does not check the origin without a distribution', async () => {
    open({ WATCH_ORIGIN: 'api' })
    const answer = await ask('/watch/an-archive/recording')
    expect(answer).toMatchObject({ body: expect.stringContaining('needs a signed link') })
  })
})

describe('links of the API', () => {
  it('lead to the distribution', async () => {
    open()
    await world.services.records.writeManifest(manifest, async () => true)
    const { body } = await call(world, `GET /recordings/${manifest.archiveId}`)
    expect(body.watch.url).toMatch(new RegExp(`^${FRONT}/watch/${manifest.archiveId}\\?expires=`))
  })
})
