import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseArchiveKey } from '../../../lib/show/state/keys.ts'
import { box, ftyp, header, moov } from '../../lib/media/faststart/synthetic.ts'
import { openWorld, type World } from '../../support/world.ts'
import { run } from '../run.ts'

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(() => world.close())

const archiveId = 'b40ef09b-3811-4726-b508-e41a0f96c68f'
const key = `100001/${archiveId}/archive.mp4`
const LENGTH = 7 * 2 ** 20
const media = Buffer.concat([header('mdat', LENGTH), Buffer.alloc(LENGTH, 'media')])
const indexFor = (place: number) => moov({ width: 4, offsets: [place + 8, place + LENGTH] })
/** With its index behind its media, and the copy that should be made of it. */
const recorded = Buffer.concat([ftyp, media, indexFor(ftyp.length)])
const faststart = Buffer.concat([ftyp, indexFor(recorded.length - media.length), media])
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

async function arrive(bytes: Buffer) {
  await world.services.storage.put(key, bytes, 'video/mp4')
  return { bucket: 'media', key, etag: createHash('md5').update(bytes).digest('hex') }
}
const make = async (bytes: Buffer, keepDays: number | null = null) =>
  (await run(world, 'makeFaststart', { ...(await arrive(bytes)), archiveId, keepDays })).files
const read = async (at: string) => {
  const object = await world.services.storage.open(at, (await world.services.storage.etagOf(at)) ?? '')
  return Buffer.from(await object.read(0, object.size))
}

describe('makeFaststart', () => {
  it('publishes a copy with the index before the media, under a name that the same source gives again', async () => {
    const files = await make(recorded)
    const copy = expect.stringMatching(`^recordings/${archiveId}/faststart/[0-9a-f]{12}/recording.mp4$`)
    expect(files).toEqual([{ role: 'faststart', key: copy, size: recorded.length, sha256: null }])
    expect((await read(files[0]?.key ?? '')).equals(faststart)).toBe(true)
    expect(await make(recorded)).toEqual(files)
    expect(parseArchiveKey(files[0]?.key ?? '')).toBeUndefined() // else it would be published in turn
  })

  it('publishes that of another source beside it', async () => {
    const [first] = await make(recorded)
    const [second] = await make(Buffer.concat([recorded, box('free')]))
    expect(second?.key).not.toBe(first?.key)
    expect(await world.services.storage.sizeOf(first?.key ?? '')).toBe(recorded.length)
  })

  it('lets S3 copy what it need not touch, from the file that arrived and no other', async () => {
    const copies: (string | null)[][] = []
    world.interceptors.aws = async (request, pass) => {
      const [range, match] = ['range', 'if-match'].map((name) => request.headers.get(`x-amz-copy-source-${name}`))
      if (range) copies.push([range, match ?? null])
      return pass()
    }
    const { etag } = await arrive(recorded)
    await make(recorded)
    const taken = 5 * 2 ** 20 - indexFor(0).length // by the first part
    expect(copies).toEqual([[`bytes=${taken}-${ftyp.length + media.length - 1}`, `"${etag}"`]])
  })

  it('discards the parts of a copy that fails', async () => {
    const arrival = await arrive(recorded)
    const aborted: string[] = []
    world.interceptors.aws = async (request, pass) => {
      const { pathname, searchParams } = new URL(request.url)
      if (searchParams.get('partNumber') === '2') return new Response(null, { status: 503 })
      if (request.method === 'DELETE' && searchParams.has('uploadId')) aborted.push(pathname)
      return pass()
    }
    const making = run(world, 'makeFaststart', { ...arrival, archiveId, keepDays: null })
    await expect(making).rejects.toMatchObject({ name: 'StorageError' })
    expect(aborted).toEqual([expect.stringMatching(`/recordings/${archiveId}/faststart/`)])
  })

  it('gives as the faststart file the source that is one already, and writes nothing', async () => {
    expect(await make(faststart)).toEqual([{ role: 'faststart', key, size: faststart.length, sha256: null }])
    expect((await world.services.storage.list('recordings/', { limit: 1 })).keys).toEqual([])
  })

  it('marks the copy with how long it is kept', async () => {
    const tags: (string | null)[] = []
    world.interceptors.aws = async (request, pass) => {
      if (new URL(request.url).searchParams.has('uploads')) tags.push(request.headers.get('x-amz-tagging'))
      return pass()
    }
    await make(recorded, 30)
    expect(tags).toEqual(['keepDays=30'])
  })

  it('makes no copy of a file that is not a recording or was replaced', async () => {
    const broken = await arrive(Buffer.from('no recording'))
    const nothing = await run(world, 'makeFaststart', { ...broken, archiveId, keepDays: null })
    const problem = 'No faststart copy: the file is not an MP4: it does not begin with an ftyp box.'
    expect(nothing).toEqual({ files: [], missing: { format: 'faststart', problem } })
    const arrival = await arrive(recorded)
    await arrive(faststart)
    const late = run(world, 'makeFaststart', { ...arrival, archiveId, keepDays: null })
    await expect(late).rejects.toMatchObject({ name: 'StorageError' })
  })
})

describe('hashSource', () => {
  it('gives the SHA-256 of the file, and that of the faststart copy before there is one', async () => {
    expect(await run(world, 'hashSource', await arrive(recorded))).toEqual({
      sha256: sha256(recorded),
      faststartSha256: sha256(faststart),
    })
  })

  it('gives that of the file twice where it is faststart already', async () => {
    const own = sha256(faststart)
    expect(await run(world, 'hashSource', await arrive(faststart))).toEqual({ sha256: own, faststartSha256: own })
  })

  it('returns only the hash of the file when it is not a whole MP4', async () => {
    const bytes = Buffer.from('PK')
    const found = await run(world, 'hashSource', await arrive(bytes))
    expect(found).toEqual({ sha256: sha256(bytes), faststartSha256: null })
  })

  it('reads the file once', async () => {
    let whole = 0
    world.interceptors.aws = async (request, pass) => {
      if (request.method === 'GET' && !request.headers.has('range')) whole++
      return pass()
    }
    await run(world, 'hashSource', await arrive(recorded))
    expect(whole).toBe(1)
  })

  it('takes no failure of the bucket for a damaged file', async () => {
    const arrival = await arrive(recorded)
    world.interceptors.aws = async (request, pass) =>
      request.headers.has('range') ? new Response(null, { status: 503 }) : pass()
    await expect(run(world, 'hashSource', arrival)).rejects.toMatchObject({ name: 'StorageError' })
  })
})
