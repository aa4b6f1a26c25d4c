import { afterEach, describe, expect, it, vi } from 'vitest'
import { handler } from '../../../lambdas/watch/watch.ts'
import { invoke, openWorld, type World } from '../../support/world.ts'

// The page is put beside the function's code when that is bundled.
vi.mock('node:fs/promises', async (original) => {
  const fs = await original<typeof import('node:fs/promises')>()
  const isPage = (path: unknown) => String(path).endsWith('watch.html')
  return {
    ...fs,
    readFile: async (...given: never[]) => (isPage(given[0]) ? 'page' : fs.readFile(...(given as [never]))),
  }
})

let world: World
afterEach(() => world.close())

const open = async (changes: object = {}) => {
  world = openWorld(changes)
  return (await invoke(handler, world.services, {
    ...{ version: '2.0', rawPath: '/watch/an-archive', headers: {}, pathParameters: { archiveId: 'an-archive' } },
    requestContext: { http: { method: 'GET', path: '/watch/an-archive' } },
  })) as { statusCode: number; headers: Record<string, string> }
}

describe('GET /watch/{archiveId}', () => {
  it('cannot be framed, keeps its type, and is only fetched over TLS', async () => {
    const { statusCode, headers } = await open()
    expect(statusCode).toBe(200)
    expect(headers['content-security-policy']).toContain("; frame-ancestors 'none';")
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'strict-transport-security': 'max-age=31536000',
    })
  })

  it('is framed by the pages that the settings name', async () => {
    const { headers } = await open({ FRAME_ANCESTORS: 'https://a.example.com https://b.example.com' })
    expect(headers['content-security-policy']).toContain(
      '; frame-ancestors https://a.example.com https://b.example.com;',
    )
  })
})
