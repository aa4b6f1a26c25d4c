import { describe, expect, it } from 'vitest'
import { watchRoutes } from '../../../../lib/api/watch-routes.ts'
import { classOf, routesOf } from '../../../../lib/constructs/http/show-api.ts'
import { CALLBACK_ROUTE } from '../../../../lib/events/platform-events.ts'

describe('classOf', () => {
  it('holds for controls every route that changes something, and no other', () => {
    expect(routesOf('control').filter((key) => key.startsWith('GET '))).toEqual([]) // the access log's filters rely on it
    const others = [...routesOf('read'), ...routesOf('public'), ...Object.keys(watchRoutes)]
    expect(others.filter((key) => !key.startsWith('GET '))).toEqual([])
  })

  it('separates routes without a token', () => {
    expect(routesOf('public')).toEqual(['GET /public/recordings/{archiveId}', 'GET /.well-known/jwks.json'])
    expect(Object.keys(watchRoutes).map(classOf)).toEqual(Object.keys(watchRoutes).map(() => 'watch'))
    expect(routesOf('join')).toEqual(['POST /public/join'])
    expect(classOf(CALLBACK_ROUTE)).toBe('callbacks')
  })
})
