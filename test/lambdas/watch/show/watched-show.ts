import { handler } from '../../../../lambdas/watch/watch.ts'
import { show as showDocument } from '../../../../lib/show/document/show.ts'
import { invoke, START_TIME, type World } from '../../../support/world.ts'
import { call } from '../../api/call.ts'

export interface Answer {
  readonly statusCode: number
  readonly headers: Record<string, string>
  readonly body: string
}

export const showId = 'a-show'

export async function getOf(world: World, address: string, headers: Record<string, string> = {}): Promise<Answer> {
  const { pathname, searchParams } = new URL(address, 'https://api.example.com')
  return (await invoke(handler, world.services, {
    ...{ version: '2.0', rawPath: pathname, headers, pathParameters: { id: pathname.split('/')[3] } },
    queryStringParameters: Object.fromEntries(searchParams),
    requestContext: { domainName: 'api.example.com', http: { method: 'GET', path: pathname } },
  })) as Answer
}

/** Records a show. @returns the link of the API to its page */
export async function acceptShow(world: World, changes: object = {}): Promise<{ url: string; expiresAt?: string }> {
  const show = showDocument.parse({
    ...{ version: 1, name: 'All hands', duration: 3600, recordings: [{ name: 'program' }] },
    broadcasts: [{ name: 'live', hls: { dvr: true } }],
    page: { title: 'Launch', description: 'All about it.', accentColor: '#1a73e8' },
    ...changes,
  })
  const request = { version: 1 as const, showId, acceptedAt: START_TIME, show }
  await world.services.records.acceptShow(request, show.start ? 'scheduled' : 'starting')
  return (await call(world, `GET /shows/${showId}`)).body.watch
}
