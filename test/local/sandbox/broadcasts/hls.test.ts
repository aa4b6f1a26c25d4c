import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createMemory } from '../../../../local/sandbox/archives/memory.ts'
import type { BroadcastRecord } from '../../../../local/sandbox/state/records.ts'
import { openSession } from '../open-session.ts'

/** Broadcasts without media, and gives the broadcast a directory with one segment. */
async function openSegment() {
  const memory = createMemory()
  const directory = await mkdtemp(join(tmpdir(), 'segments-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const world = await openSession({ memory })
  await world.join(world.sessionId)
  const { body } = await world.call('startBroadcast', { sessionId: world.sessionId, outputs: { hls: {} } })
  memory.store.broadcasts.update(body.id, { directory } satisfies Partial<BroadcastRecord>)
  await writeFile(join(directory, 'media-0.m4s'), '0123456789')
  const get = (headers: Record<string, string> = {}, method = 'GET') =>
    world.sandbox.fetch(new Request(`http://localhost/broadcasts/${body.id}/media-0.m4s`, { method, headers }))
  return { get }
}

it('serves ranges of media files, as a CDN does', async () => {
  const { get } = await openSegment()
  const whole = await get()
  expect([whole.status, await whole.text(), whole.headers.get('accept-ranges')]).toEqual([200, '0123456789', 'bytes'])
  const part = await get({ range: 'bytes=2-4', 'if-range': whole.headers.get('etag') ?? '' })
  expect([part.status, await part.text(), part.headers.get('content-range')]).toEqual([206, '234', 'bytes 2-4/10'])
  expect((await get({ range: 'bytes=10-' })).status).toBe(416)
  const head = await get({}, 'HEAD')
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '10', ''])
})
