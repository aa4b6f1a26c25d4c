import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TaskHandler } from '../../../lambdas/middleware/task.ts'
import type { Format } from '../../../lib/show/document/publishing.ts'
import { keys } from '../../../lib/show/state/keys.ts'
import { loadFunction } from '../../../local/simulation/environment/handlers.ts'
import { simulatedMedia } from '../../../local/simulation/environment/media/simulated-media.ts'
import { invoke, openWorld, type World } from '../../support/world.ts'

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(() => world.close())

const archiveId = 'b40ef09b-3811-4726-b508-e41a0f96c68f'
const key = keys.archive('100001', archiveId)
const facts = { id: 'composite', seconds: 60, size: 100, resolution: '1280x720', hasAudio: true, hasVideo: true }
const FILM = `\n${JSON.stringify(facts)}\n`
const etag = createHash('md5').update(FILM).digest('hex')

/** Inspects a recording for a rebuild of these formats, and returns those that are made. */
async function formatsOf(formats: readonly Format[]) {
  await world.services.storage.put(key, FILM, 'video/mp4')
  const services = { ...world.services, media: simulatedMedia }
  const handler = (await loadFunction('inspectRecording')) as TaskHandler
  const found = await invoke(handler, services, { bucket: 'media', key, etag, formats })
  return (found as { readonly formats: readonly Format[] }).formats
}

/** Publishes the renditions of a file. */
const publishRenditions = (of: string) =>
  world.services.records.writeManifest(
    {
      ...{ version: 1, archiveId, createdAt: '2026-11-20T08:00:00.000Z', status: 'complete', access: 'signed' },
      ...{ source: { key, etag: of, size: FILM.length, sha256: null }, duration: 60, video: null, audio: null },
      files: [
        { role: 'hls-media', key: keys.published(archiveId, 'renditions', 'e', '480p-0.mp4'), size: 5, sha256: 'aa' },
      ],
    },
    async () => true,
  )

describe('inspectRecording', () => {
  it('makes the formats that a rebuild names', async () => {
    expect(await formatsOf(['hls', 'poster'])).toEqual(['hls', 'poster'])
  })

  it('makes published renditions again with HLS, whose playlists name them', async () => {
    await publishRenditions(etag)
    expect(await formatsOf(['hls'])).toEqual(['hls', 'renditions'])
    expect(await formatsOf(['hls', 'renditions'])).toEqual(['hls', 'renditions'])
    expect(await formatsOf(['poster'])).toEqual(['poster'])
  })

  it('leaves out renditions that were made of another file', async () => {
    await publishRenditions('another-etag')
    expect(await formatsOf(['hls'])).toEqual(['hls'])
  })
})
