import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join as joinPath } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createMediaOff } from '../../../local/sandbox/media/media-off.ts'
import { createMemoryBucket, uploadTarget } from './archives/memory-bucket.ts'
import { createMediaWitness } from './media-witness.ts'
import { openSandbox, START, type WorldOptions } from './open-sandbox.ts'

const HOUR = 3_600_000

async function openDirectory() {
  const directory = await mkdtemp(joinPath(tmpdir(), 'sandbox-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  return directory
}

/** Records for ten seconds and stops, or keeps the archive running. */
async function record(world: ReturnType<typeof openSandbox>, stop = true): Promise<string> {
  const { call, clock, join, createSession } = world
  const sessionId = await createSession()
  await join(sessionId)
  const archiveId = (await call('startArchive', { sessionId })).body.id
  await clock.advance(10_000)
  if (stop) await call('stopArchive', { archiveId })
  return archiveId
}

describe('createSandbox', () => {
  it('repeats a run exactly with the same seed, clock and order of calls', async () => {
    const run = async (seed: string) => {
      const world = openSandbox({ seed })
      const ids = [await record(world), await record(world, false)]
      await world.clock.advance(5 * HOUR)
      const archives = (await world.call('listArchives')).body
      const { apiKey, apiSecret, log } = world
      return { apiKey, apiSecret, ids, archives, log }
    }
    expect(await run('a')).toEqual(await run('a'))
    expect((await run('b')).ids).not.toEqual((await run('a')).ids)
  })

  it('creates a project whose key fits 32 bits, or uses the given one', () => {
    const { apiKey, apiSecret } = openSandbox()
    expect(Number(apiKey)).toBeLessThan(2 ** 31)
    expect(apiSecret).toMatch(/^[0-9a-f]{40}$/)
    const project = { apiKey: '100001', apiSecret: 'chosen' }
    expect(openSandbox({ project }).sandbox.project).toEqual(project)
  })

  it('fails an archive whose recorder dies, and nothing else', async () => {
    let die = () => {}
    const { call, createSession, join } = openSandbox({
      media: (clock) => {
        const off = createMediaOff(clock)
        return {
          ...off,
          startArchive: async (spec) => ({
            ...(await off.startArchive(spec)),
            onFailure(listener) {
              if (spec.resolution === '640x480') die = () => listener(new Error('the encoder died'))
            },
          }),
        }
      },
    })
    const sessionId = await createSession()
    await join(sessionId)
    const broken = (await call('startArchive', { sessionId })).body.id
    const audio = (await call('startArchive', { sessionId, multiArchiveTag: 'b', resolution: '1280x720' })).body.id
    die()
    const read = async (archiveId: string) => (await call('getArchive', { archiveId })).body
    expect(await read(broken)).toMatchObject({ status: 'failed', reason: 'failure', size: 0, url: null })
    expect(await read(audio)).toMatchObject({ status: 'started' })
    expect(await call('stopArchive', { archiveId: broken })).toMatchObject({ status: 409 })
  })

  it('fails an archive whose file cannot be finished', async () => {
    const { call, sandbox, ...world } = openSandbox({
      media: (clock) => {
        const off = createMediaOff(clock)
        const finish = () => Promise.reject(new Error('the disk is full'))
        return { ...off, startArchive: async (spec) => ({ ...(await off.startArchive(spec)), finish }) }
      },
    })
    const archiveId = await record({ call, sandbox, ...world })
    await sandbox.settled()
    expect((await call('getArchive', { archiveId })).body).toMatchObject({ status: 'failed', reason: 'failure' })
  })

  describe('with a directory', () => {
    /** Closes what `before` has done and opens its directory again, an hour later. */
    async function reopen<T>(
      before: (world: ReturnType<typeof openSandbox>) => Promise<T>,
      options: WorldOptions = {},
    ) {
      const directory = await openDirectory()
      const first = openSandbox({ directory, ...options })
      const result = await before(first)
      await first.sandbox.close()
      const again = openSandbox({ directory, ...options, seed: 'another', start: START + HOUR })
      onTestFinished(() => again.sandbox.close())
      await again.sandbox.settled()
      return { result, first, again, directory }
    }

    it('keeps project, sessions and upload target', async () => {
      const { first, again, result } = await reopen(async ({ call, createSession }) => {
        await call('setUploadTarget', uploadTarget())
        return createSession()
      })
      expect(again.sandbox.project).toEqual(first.sandbox.project)
      expect((await again.join(result)).connectionId).toBeDefined()
      expect(await again.call('deleteUploadTarget')).toMatchObject({ status: 204 })
    })

    it('keeps a session muted', async () => {
      const { media, about } = createMediaWitness()
      const keep = async ({ call, createSession }: ReturnType<typeof openSandbox>) => {
        const sessionId = await createSession()
        await call('muteSession', { sessionId, active: true })
        return sessionId
      }
      const { again, result: sessionId } = await reopen(keep, { media })
      const { streamId } = await again.join(sessionId)
      await again.call('muteSession', { sessionId, active: false })
      const later = await again.join(sessionId)
      expect([streamId, later.streamId].map((id) => about(id)[0]?.with)).toMatchObject([
        { hasAudio: false },
        { hasAudio: true },
      ])
    })

    it('keeps an available archive and its file until it expires', async () => {
      const {
        again,
        result: archiveId,
        directory,
      } = await reopen(async (world) => {
        const id = await record(world)
        await world.sandbox.settled()
        return id
      })
      const read = async () => (await again.call('getArchive', { archiveId })).body
      const { url, status, size } = await read()
      expect(status).toBe('available')
      expect((await (await again.sandbox.fetch(new Request(url))).arrayBuffer()).byteLength).toBe(size)
      await again.clock.advance(71 * HOUR + 10_000)
      await again.sandbox.settled()
      expect(await read()).toMatchObject({ status: 'expired' })
      expect(await readdir(joinPath(directory, 'archives'))).toEqual([])
    })

    it('repeats an upload that was interrupted', async () => {
      const bucket = createMemoryBucket([500])
      const { again, result: archiveId } = await reopen(
        async (world) => {
          await world.call('setUploadTarget', uploadTarget())
          const id = await record(world)
          await world.sandbox.settled() // waits on the clock for the second attempt
          return id
        },
        { uploadHandler: bucket.handler },
      )
      expect((await again.call('getArchive', { archiveId })).body).toMatchObject({ status: 'uploaded', duration: 10 })
      expect(bucket.objects.size).toBe(1)
    })

    it('repeats an upload that had no answer yet', async () => {
      const bucket = createMemoryBucket(['silence'])
      const { again, result: archiveId } = await reopen(
        async (world) => {
          await world.call('setUploadTarget', uploadTarget())
          const id = await record(world)
          await bucket.asked
          return id
        },
        { uploadHandler: bucket.handler },
      )
      expect((await again.call('getArchive', { archiveId })).body).toMatchObject({ status: 'uploaded' })
    })

    it('keeps its projects separate', async () => {
      const directory = await openDirectory()
      const first = openSandbox({ directory, project: { apiKey: '100001', apiSecret: 'one' } })
      const archiveId = await record(first)
      const { sessionId } = (await first.call('getArchive', { archiveId })).body
      await first.sandbox.close()
      const { sandbox, call, join } = openSandbox({ directory, project: { apiKey: '100002', apiSecret: 'two' } })
      await join(sessionId)
      expect((await call('listArchives')).body).toEqual({ count: 0, items: [] })
      expect(await call('getArchive', { archiveId })).toMatchObject({ status: 400 })
      expect(await call('stopArchive', { archiveId })).toMatchObject({ status: 404 })
      expect(await call('startArchive', { sessionId })).toMatchObject({ status: 404 })
      expect(await call('listStreams', { sessionId })).toMatchObject({ status: 404 })
      await sandbox.close()
    })

    it('stops running archives and fails running broadcasts of an earlier process', async () => {
      const { again, result } = await reopen(async (world) => {
        const archiveId = await record(world, false)
        const { sessionId } = (await world.call('getArchive', { archiveId })).body
        const broadcastId = (await world.call('startBroadcast', { sessionId, outputs: { hls: {} } })).body.id
        return { archiveId, broadcastId, sessionId }
      })
      expect((await again.call('getArchive', result)).body).toMatchObject({
        ...{ status: 'available', reason: 'session ended', duration: 10 },
      })
      expect((await again.call('getBroadcast', result)).body).toMatchObject({ status: 'failed' })
      expect(await again.call('listStreams', result)).toMatchObject({ status: 404 })
      expect(await again.call('startArchive', result)).toMatchObject({ status: 404 })
    })
  })

  it('closes during archives, broadcasts and uploads, and leaves no timer behind', async () => {
    const bucket = createMemoryBucket([500, 500, 500, 500])
    const discarded: string[] = []
    const world = openSandbox({
      uploadHandler: bucket.handler,
      media: (clock) => {
        const off = createMediaOff(clock)
        const discard = async (id: string) => {
          discarded.push(id)
        }
        return {
          ...off,
          startArchive: async (spec) => ({ ...(await off.startArchive(spec)), discard: () => discard(spec.id) }),
        }
      },
    })
    await world.call('setUploadTarget', uploadTarget())
    await record(world)
    const running = await record(world, false)
    const { sessionId } = (await world.call('getArchive', { archiveId: running })).body
    await world.call('startBroadcast', { sessionId, outputs: { hls: {} } })
    await world.sandbox.close()
    expect(discarded).toEqual([running])
    expect(world.clock.nextDue()).toBeUndefined()
    expect(bucket.requests).toHaveLength(3) // after 0, 1 and 6 s; the fourth would have come after 21 s
  })

  it('does not upload files that are finished during the close', async () => {
    const bucket = createMemoryBucket()
    const closing = Promise.withResolvers<void>()
    const world = openSandbox({
      uploadHandler: bucket.handler,
      media: (clock) => {
        const off = createMediaOff(clock)
        return {
          ...off,
          async startArchive(spec) {
            const recorder = await off.startArchive(spec)
            return { ...recorder, finish: () => closing.promise.then(recorder.finish) }
          },
          close: async () => closing.resolve(),
        }
      },
    })
    await world.call('setUploadTarget', uploadTarget())
    const sessionId = await world.createSession()
    await world.join(sessionId)
    const archiveId = (await world.call('startArchive', { sessionId })).body.id
    await world.call('stopArchive', { archiveId })
    await world.sandbox.close()
    expect(bucket.requests).toEqual([])
  })

  it('may be closed twice', async () => {
    const { sandbox } = openSandbox()
    await Promise.all([sandbox.close(), sandbox.close()])
  })
})
