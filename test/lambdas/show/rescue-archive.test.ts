import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { keys } from '../../../lib/show/state/keys.ts'
import { openWorld, type World, webinar } from '../../support/world.ts'
import { bringLive, run, runAnyhow, settled } from '../run.ts'

let world: World
let show: Awaited<ReturnType<typeof bringLive>>
beforeEach(async () => {
  world = openWorld()
  show = await bringLive(world)
  await world.clock.advance(20_000)
})
afterEach(() => world.close())

/** Ends the show while its uploads lead nowhere, so that the platform keeps the files. */
const strand = async () => {
  await world.aimUploads('no-such-bucket')
  await run(world, 'stopShow', { showId: 'a-show', sessionId: show.sessionId, reason: 'It ended.', failure: null })
  await settled(world)
  await world.clock.advance(60_000) // the platform's own attempts
  return run(world, 'checkUploads', { showId: 'a-show', sessionId: show.sessionId })
}
type Stranded = Awaited<ReturnType<typeof strand>>['stranded'][number]
const rescue = (stranded: Stranded) => run(world, 'rescueArchive', { showId: 'a-show', ...stranded })
const report = async () => {
  await run(world, 'reportShow', { showId: 'a-show', sessionId: show.sessionId, reason: 'It ended.', failure: null })
  return world.services.records.readResult('a-show')
}

describe('rescueArchive', () => {
  it('puts what the platform kept where it belongs, so that nothing is lost', async () => {
    const { stranded } = await strand()
    expect(stranded.map(({ name }) => name)).toEqual(['program', 'speakers'])
    for (const one of stranded) {
      const { size } = await rescue(one)
      expect(await world.services.storage.sizeOf(keys.archive(world.platform.apiKey, one.archiveId))).toBe(size)
    }
    const result = await report()
    expect(result).toMatchObject({ status: 'succeeded' })
    expect(result?.recordings).toMatchObject([
      { status: 'available', rescued: true },
      { status: 'available', rescued: true },
    ])
    expect(result?.timeline.filter(({ what }) => what === 'recording.rescued')).toHaveLength(2)
  })

  it('fetches nothing again that is there already', async () => {
    const [stranded] = (await strand()).stranded
    if (!stranded) throw new Error('Nothing was stranded.')
    await rescue(stranded)
    world.calls.length = 0
    await rescue(stranded)
    expect(world.calls).toEqual([`GET /archive/${stranded.archiveId}`])
  })

  it('reports an archive that was not rescued as lost, with its reason', async () => {
    await strand()
    const result = await report()
    expect(result).toMatchObject({ status: 'failed' })
    expect(result?.recordings).toMatchObject([{ lost: expect.stringContaining('72 hours') }, {}])
  })

  it('fails when the platform offers no download, without a link in the message', async () => {
    const [stranded] = (await strand()).stranded
    await world.clock.advance(73 * 3_600_000)
    await expect(runAnyhow(world, 'rescueArchive', { showId: 'a-show', ...stranded })).rejects.toMatchObject({
      name: 'TaskInputError',
      message: `The archive ${stranded?.archiveId} cannot be fetched: its status is expired.`,
    })
  })

  it('is tried again when the file cannot be had for the moment', async () => {
    const [stranded] = (await strand()).stranded
    world.interceptors.platform = async (request, pass) =>
      request.url.includes('/downloads/') ? new Response('', { status: 503 }) : pass()
    await expect(runAnyhow(world, 'rescueArchive', { showId: 'a-show', ...stranded })).rejects.toMatchObject({
      name: 'ServiceError',
      message: 'The platform’s file cannot be fetched (status 503).',
    })
  })

  it('stores nothing of a file that differs from the platform’s record', async () => {
    const [stranded] = (await strand()).stranded
    if (!stranded) throw new Error('Nothing was stranded.')
    const key = keys.archive(world.platform.apiKey, stranded.archiveId)
    const corrupt = (change: (bytes: Buffer) => Buffer) => {
      world.interceptors.platform = async (request, pass) => {
        const response = await pass()
        return request.url.includes('/downloads/')
          ? new Response(new Uint8Array(change(Buffer.from(await response.arrayBuffer()))))
          : response
      }
    }
    corrupt((bytes) => bytes.subarray(10))
    await expect(rescue(stranded)).rejects.toMatchObject({
      name: 'ServiceError',
      message: expect.stringMatching(/^The archive .* ended after \d+ of \d+ bytes\.$/),
    })
    corrupt((bytes) => Buffer.concat([Buffer.from('?'), bytes.subarray(1)]))
    await expect(rescue(stranded)).rejects.toMatchObject({
      name: 'ServiceError',
      message: expect.stringMatching(/does not have the checksum that the platform reports\.$/),
    })
    expect(await world.services.storage.sizeOf(key)).toBeUndefined()
    world.interceptors.platform = (_request, pass) => pass()
    await rescue(stranded) // the machine repeats it
    expect(await world.services.storage.sizeOf(key)).toBeGreaterThan(0)
  })

  it('stops at the size that the platform states', async () => {
    const [stranded] = (await strand()).stranded
    if (!stranded) throw new Error('Nothing was stranded.')
    let sent = 0
    const more = new ReadableStream({
      pull: (controller) => (++sent > 64 ? controller.close() : controller.enqueue(new Uint8Array(2 ** 20))),
    })
    world.interceptors.platform = async (request, pass) =>
      request.url.includes('/downloads/') ? new Response(more) : pass()
    await expect(rescue(stranded)).rejects.toMatchObject({
      name: 'ServiceError',
      message: expect.stringMatching(/^The archive .* is longer than the \d+ bytes that the platform reports\.$/),
    })
    expect(sent).toBeLessThan(8) // of 64 MiB, including buffers on the way
    const key = keys.archive(world.platform.apiKey, stranded.archiveId)
    expect(await world.services.storage.sizeOf(key)).toBeUndefined()
  })

  it('notes it in the state, so that it is not named again', async () => {
    const [stranded] = (await strand()).stranded
    if (!stranded) throw new Error('Nothing was stranded.')
    await rescue(stranded)
    expect((await world.services.shows.state('a-show')).recordings).toMatchObject([
      { rescued: true },
      { name: 'speakers' },
    ])
    const look = () => run(world, 'checkUploads', { showId: 'a-show', sessionId: show.sessionId })
    expect(await look()).toMatchObject({ over: false, stranded: [], waitSeconds: 60 })
    await world.clock.advance(60_000)
    expect((await look()).stranded.map(({ name }) => name)).toEqual(['speakers'])
  })

  it('keeps the files of an individual archive together', async () => {
    const recordings = [{ name: 'takes', outputMode: 'individual' as const }]
    show = await bringLive(world, { ...webinar, broadcasts: [], recordings }, 'takes')
    await world.clock.advance(20_000)
    await world.aimUploads('no-such-bucket')
    await run(world, 'stopShow', { showId: 'takes', sessionId: show.sessionId, reason: null, failure: null })
    await settled(world)
    await world.clock.advance(60_000)
    const { stranded } = await run(world, 'checkUploads', { showId: 'takes', sessionId: show.sessionId })
    const archiveId = stranded[0]?.archiveId ?? ''
    const { size } = await run(world, 'rescueArchive', { showId: 'takes', name: 'takes', part: 1, archiveId })
    const key = keys.archive(world.platform.apiKey, archiveId, 'individual')
    expect(key).toMatch(/archive\.zip$/)
    expect(await world.services.storage.sizeOf(key)).toBe(size)
  })
})
