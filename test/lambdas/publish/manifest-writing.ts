import { createHash } from 'node:crypto'
import { publishExecutionName } from '../../../lib/show/document/fields/names.ts'
import { openWorld } from '../../support/world.ts'
import { run } from '../run.ts'

export const archiveId = 'b40ef09b-3811-4726-b508-e41a0f96c68f'
export const key = `100001/${archiveId}/archive.mp4`
export const inspection = {
  archiveId,
  size: 9,
  facts: { duration: 20.02, video: { codec: 'h264', width: 640, height: 480, frameRate: 30 }, audio: null },
  record: { status: 'uploaded' as const, size: 9, duration: 20, createdAt: '2026-11-20T08:00:00.000Z' },
  show: null,
  formats: ['poster' as const],
  pieces: [],
  streams: [],
  ladder: [],
  access: 'signed' as const,
  keepDays: null as number | null,
  differences: [] as string[],
}
export const SOURCE = 'the file'
export const ETAG = createHash('md5').update(SOURCE).digest('hex')
export const NAME = publishExecutionName(archiveId, ETAG)
export const files = [{ role: 'poster' as const, key: `recordings/${archiveId}/poster.jpg`, size: 5, sha256: 'aa' }]
export const hashes = { sha256: 'bb', faststartSha256: 'cc' }
export const failure = { Error: 'MediaError', Cause: '{"errorMessage":"The file is cut off."}' }

type Input = Parameters<typeof run<'writeManifest'>>[2]

/** Opens a world whose bucket has an archive, and the task that writes its manifest. */
export async function openManifestWriting() {
  const world = openWorld()
  /** Puts the source where it belongs, and returns its ETag as events do. */
  const put = async (body: string, at = key) => {
    await world.services.storage.put(at, body, 'video/mp4')
    return createHash('md5').update(body).digest('hex')
  }
  const write = (changes: Partial<Input> = {}) =>
    run(world, 'writeManifest', {
      bucket: 'media',
      key,
      etag: ETAG,
      executionName: NAME,
      stage: 'complete',
      inspection,
      hashes,
      loudness: null,
      files,
      missing: [],
      ffmpeg: '5.1',
      failure: null,
      ...changes,
    })
  await put(SOURCE)
  return { world, put, write }
}
