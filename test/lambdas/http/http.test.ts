import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { handler } from '../../../lambdas/api/api.ts'
import { openWorld, type World } from '../../support/world.ts'

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(() => world.close())

/** Calls the API's function with a query that no line may hold, and returns what it wrote. */
async function linesOf(routeKey: string, path: string, claims: object) {
  const lines: string[] = []
  const event = {
    ...{ version: '2.0', routeKey, rawPath: path, headers: {}, rawQueryString: 'signature=hidden' },
    pathParameters: { archiveId: 'an-archive' },
    requestContext: {
      requestId: 'api-request-1',
      http: { method: routeKey.split(' ')[0], path },
      authorizer: { jwt: { claims, scopes: null } },
    },
  }
  const run = handler.on(world.services, (line) => void lines.push(line))
  await run(event as never, { awsRequestId: 'request-1' } as never, {} as never)
  expect(lines.join()).not.toContain('hidden')
  return lines.map((line) => JSON.parse(line))
}

describe('httpHandler', () => {
  const about = {
    ...{ task: 'api', requestId: 'request-1', apiRequestId: 'api-request-1', caller: 'ann', archiveId: 'an-archive' },
    route: 'GET /recordings/{archiveId}',
  }
  const read = (scope: string) => linesOf(about.route, '/recordings/an-archive', { sub: 'ann', scope })

  it('writes caller, route, resource and status of a call that is refused, in the function or by its role', async () => {
    expect(await read('showrunner/viewer')).toMatchObject([{ ...about, message: 'refused', status: 404 }])
    expect(await read('openid')).toMatchObject([{ ...about, message: 'refused', status: 403 }])
  })

  it('writes them of a call that is answered', async () => {
    const route = 'GET /shows'
    const lines = await linesOf(route, '/shows', { sub: 'ann', scope: 'showrunner/viewer' })
    expect(lines).toMatchObject([{ ...about, route, message: 'done', status: 200 }])
  })
})
