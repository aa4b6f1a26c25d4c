import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { handler } from '../../../../lambdas/api/api.ts'
import type { Manifest } from '../../../../lib/publish/manifest/manifest.ts'
import { keys } from '../../../../lib/show/state/keys.ts'
import { invoke, openWorld, START_TIME, type World } from '../../../support/world.ts'
import { posterOf } from './recording.ts'

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(() => world.close())

const manifest: Manifest = {
  version: 1,
  archiveId: 'b40ef09b',
  createdAt: START_TIME,
  show: { showId: 'a-show', name: 'program', part: 1 },
  status: 'complete',
  message: 'It has 9 bytes; the platform recorded 8.',
  access: 'public',
  source: { key: keys.archive('1', 'b40ef09b'), size: 9, sha256: 'aa' },
  duration: 20,
  video: null,
  audio: null,
  files: [{ role: 'poster', key: posterOf('b40ef09b'), size: 5, sha256: 'bb' }],
}
const publish = (document: Manifest) => world.services.records.writeManifest(document, async () => true)

/** Asks as API Gateway does where it asks nobody who they are: there is no authorizer in the request's context. */
async function read(archiveId: string) {
  const path = `/public/recordings/${encodeURIComponent(archiveId)}`
  const { statusCode, body } = (await invoke(handler, world.services, {
    version: '2.0',
    rawPath: path,
    headers: {},
    pathParameters: { archiveId },
    requestContext: { domainName: 'api.example.com', http: { method: 'GET', path } },
    isBase64Encoded: false,
  })) as { statusCode: number; body: string }
  return { status: statusCode, body: JSON.parse(body) as Record<string, unknown> }
}

describe('GET /public/recordings/{archiveId}', () => {
  it('shows a public recording with links and without its show', async () => {
    await publish(manifest)
    const { status, body } = await read('b40ef09b')
    expect(status).toBe(200)
    const expiresAt = '2026-11-20T10:00:00.000Z'
    expect(body).toEqual({
      version: 1,
      archiveId: 'b40ef09b',
      createdAt: START_TIME,
      status: 'complete',
      duration: 20,
      video: null,
      audio: null,
      watch: { url: 'https://api.example.com/watch/b40ef09b' },
      source: { size: 9, sha256: 'aa', url: expect.stringContaining('X-Amz-Signature='), expiresAt },
      files: [{ role: 'poster', size: 5, sha256: 'bb', url: expect.stringContaining('X-Amz-Expires=3600'), expiresAt }],
    })
  })

  it('answers 404 in the same words to one that is not public and to one that does not exist', async () => {
    await publish({ ...manifest, access: 'signed' })
    const hidden = await read('b40ef09b')
    expect(hidden).toMatchObject({ status: 404, body: { detail: 'There is no such recording, or it is not public.' } })
    for (const archiveId of ['none', '../shows/a-show', 'a b']) expect(await read(archiveId)).toEqual(hidden)
  })
})
