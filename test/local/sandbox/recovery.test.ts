import { cpSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join as joinPath } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Clock } from '../../../lib/clock.ts'
import type { Media } from '../../../local/sandbox/media/media.ts'
import { createMediaOff } from '../../../local/sandbox/media/media-off.ts'
import { createMemoryBucket, uploadTarget } from './archives/memory-bucket.ts'
import { openSandbox, START, type WorldOptions } from './open-sandbox.ts'

const HOUR = 3_600_000
const target = JSON.stringify({ url: 'http://127.0.0.1:9/callbacks', secret: 'of the callbacks' })

/** Media off, of which something is left when its process is killed. */
const mediaThatLeaves =
  (what: string | undefined) =>
  (clock: Clock): Media => ({
    ...createMediaOff(clock),
    recover: async ({ id }) =>
      what === undefined
        ? undefined
        : {
            ...{ size: what.length, seconds: 7, sha256: `of ${id}` },
            open: () => Readable.from([what]),
            discard: async () => {},
          },
  })

interface CallbackBody {
  readonly event: string
  readonly status?: string
  readonly reason?: string
  readonly id?: string
  readonly connection?: { readonly id: string }
}

/** Opens a sandbox in a directory, of which `kill` takes a copy: the state that a killed process leaves on the disk. */
async function openKillable(options: WorldOptions = {}, ofFirst: WorldOptions = {}) {
  const parent = await mkdtemp(joinPath(tmpdir(), 'sandbox-mortal-'))
  const directory = joinPath(parent, 'first')
  const opened: { close(): Promise<void> }[] = []
  onTestFinished(async () => {
    for (const sandbox of opened) await sandbox.close()
    await rm(parent, { recursive: true })
  })
  const open = (given: WorldOptions) => {
    const callbacks: CallbackBody[] = []
    const callbackFetch = async (request: Request) => {
      callbacks.push((await request.json()) as CallbackBody)
      return new Response()
    }
    const world = openSandbox({ callbackFetch, media: mediaThatLeaves('what was left'), ...options, ...given })
    opened.push(world.sandbox)
    return { ...world, callbacks }
  }
  let deaths = 0
  const killIn = (given: string) => () => {
    const left = joinPath(parent, `left-${++deaths}`)
    cpSync(given, left, { recursive: true })
    return left
  }
  /** The next process, an hour later, when it has come to rest. */
  const restart = async (left: string, given: WorldOptions = {}) => {
    const world = open({ directory: left, seed: `after ${deaths}`, start: START + HOUR, ...given })
    await world.clock.advance(0)
    return { ...world, directory: left, kill: killIn(left) }
  }
  return { ...open({ directory, ...ofFirst }), directory, kill: killIn(directory), restart }
}

async function startRecording(world: ReturnType<typeof openSandbox>) {
  await world.send('PUT', `/sandbox/projects/${world.apiKey}/callbacks`, { body: target })
  const sessionId = await world.createSession()
  const participant = await world.join(sessionId, { name: 'Ada' })
  const archiveId = (await world.call('startArchive', { sessionId, name: 'program' })).body.id as string
  return { sessionId, participant, archiveId }
}

const eventsOf = (callbacks: readonly CallbackBody[], id: string) =>
  callbacks.filter((body) => body.id === id || body.connection?.id === id).map(({ event, status }) => status ?? event)

describe('a sandbox that was killed', () => {
  it('finishes a running archive with the media written so far', async () => {
    const bucket = createMemoryBucket()
    const world = await openKillable({ uploadHandler: bucket.handler })
    await world.call('setUploadTarget', uploadTarget())
    const { archiveId, participant } = await startRecording(world)
    await world.clock.advance(10_000)
    const after = await world.restart(world.kill())
    expect((await after.call('getArchive', { archiveId })).body).toMatchObject({
      ...{ status: 'uploaded', reason: 'session ended', duration: 7, size: 13 },
    })
    expect([...bucket.objects.values()].map(String)).toEqual(['what was left'])
    expect(eventsOf(after.callbacks, archiveId)).toEqual(['stopped', 'uploaded'])
    expect(after.callbacks.filter(({ connection }) => connection?.id === participant.connectionId)).toMatchObject([
      { event: 'connectionDestroyed', reason: 'networkDisconnected' },
    ])
  })

  it('fails a running archive with nothing playable', async () => {
    const world = await openKillable()
    const { archiveId } = await startRecording(world)
    const after = await world.restart(world.kill(), { media: mediaThatLeaves(undefined) })
    expect((await after.call('getArchive', { archiveId })).body).toMatchObject({
      ...{ status: 'failed', reason: 'failure', duration: 0, size: 0 },
    })
  })

  it('delivers exactly the undelivered callbacks, in their order', async () => {
    const silent = { callbackFetch: async () => new Response('', { status: 503 }) }
    const world = await openKillable()
    const { archiveId } = await startRecording(world)
    await world.clock.advance(0)
    expect(eventsOf(world.callbacks, archiveId)).toEqual(['started'])
    const deaf = await world.restart(world.kill(), silent)
    await deaf.call('deleteArchive', { archiveId })
    await deaf.sandbox.close() // what waits is kept then, too
    const after = await world.restart(deaf.directory)
    expect(eventsOf(after.callbacks, archiveId)).toEqual(['stopped', 'available', 'deleted'])
    const again = await world.restart(after.kill())
    expect(eventsOf(again.callbacks, archiveId)).toEqual([])
  })

  it.each([
    ['deleted', undefined],
    ['uploaded', uploadTarget()],
  ])('deletes the file of an archive that is %s, if it was killed before it did', async (outcome, target) => {
    const { handler: uploadHandler } = createMemoryBucket()
    const filesIn = (directory: string) => readdir(joinPath(directory, 'archives'))
    let left = ''
    const onStatusChange: WorldOptions['onStatusChange'] = ({ status }) => {
      if (status === outcome) queueMicrotask(() => (left = world.kill())) // as soon as that is on the disk
    }
    const world = await openKillable({ uploadHandler }, { onStatusChange })
    if (target) await world.call('setUploadTarget', target)
    const { archiveId } = await startRecording(world)
    await world.call('stopArchive', { archiveId })
    await world.sandbox.settled()
    if (outcome === 'deleted') await world.call('deleteArchive', { archiveId })
    await world.sandbox.settled()
    expect(await filesIn(left)).toEqual([archiveId])
    const [half, foreign] = [`${archiveId}.part`, 'holidays.mp4']
    for (const name of [half, foreign]) await writeFile(joinPath(left, 'archives', name), 'bytes')
    const after = await world.restart(left)
    expect((await after.call('getArchive', { archiveId })).body).toMatchObject({ status: outcome })
    expect([await filesIn(left), await filesIn(world.directory)]).toEqual([[foreign], []])
  })

  it('keeps, announces and uploads everything acknowledged, at whichever moment it was killed', async () => {
    type World = Awaited<ReturnType<typeof world.restart>>
    const bucket = createMemoryBucket()
    const moments: { left: string; checks: ((after: World) => Promise<void>)[]; callbacks: CallbackBody[] }[] = []
    const checks: ((after: World) => Promise<void>)[] = []
    const snapshot = () => moments.push({ left: world.kill(), checks: [...checks], callbacks: [...world.callbacks] })
    const callbacks: CallbackBody[] = []
    const callbackFetch = async (request: Request) => {
      snapshot()
      callbacks.push((await request.json()) as CallbackBody)
      snapshot()
      return new Response()
    }
    const uploadHandler = {
      handle(request: never, ...more: never[]) {
        snapshot()
        return (bucket.handler as unknown as { handle(...all: never[]): unknown }).handle(request, ...more)
      },
    } as unknown as WorldOptions['uploadHandler']
    const world = { ...(await openKillable({}, { callbackFetch, uploadHandler })), callbacks }
    const acknowledge = (check: (after: World) => Promise<void>) => {
      checks.push(check)
      snapshot()
    }

    await world.call('setUploadTarget', uploadTarget())
    const { body: project } = await world.call('createProject', { name: 'another' })
    acknowledge(async (after) => {
      const { body } = await after.call('listProjects')
      expect(body).toContainEqual(expect.objectContaining({ id: project.id, secret: project.secret }))
    })
    const { sessionId, archiveId } = await startRecording(world)
    acknowledge(async (after) => {
      expect((await after.call('getArchive', { archiveId })).body).toMatchObject({ status: 'uploaded', sessionId })
      expect((await after.join(sessionId)).connectionId).toBeDefined()
    })
    const broadcastId = (await world.call('startBroadcast', { sessionId, outputs: { hls: {} } })).body.id
    acknowledge(async (after) => {
      expect((await after.call('getBroadcast', { broadcastId })).body).toMatchObject({ status: 'failed' })
    })
    await world.clock.advance(10_000)
    await world.call('stopArchive', { archiveId })
    acknowledge(async (after) => {
      expect((await after.call('getArchive', { archiveId })).body).toMatchObject({ reason: 'user initiated' })
    })
    await world.sandbox.settled()
    snapshot()

    expect(moments.length).toBeGreaterThan(15)
    for (const { left, checks, callbacks } of moments) {
      const after = await world.restart(left, { uploadHandler: bucket.handler })
      for (const check of checks) await check(after)
      const statuses = eventsOf([...callbacks, ...after.callbacks], archiveId)
      if (checks.length > 1) expect([...new Set(statuses)], left).toEqual(['started', 'stopped', 'uploaded'])
    }
    expect([...bucket.objects.keys()]).toEqual([expect.stringContaining(archiveId)])
  })
})
