import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { SignJWT } from 'jose'
import { describe, expect, it, onTestFinished } from 'vitest'
import { realClock } from '../../../lib/clock.ts'
import { findFfmpeg } from '../../../lib/media/ffmpeg/find-ffmpeg.ts'
import { AUTH_HEADER } from '../../../lib/platform/contract/tokens.ts'
import { measureLateness } from '../../support/lateness.ts'
import { expectWhole, observe } from '../../support/media/observe.ts'
import { secondsWritten } from '../../support/media/seconds-written.ts'
import { timeOfCode } from '../../support/media/times.ts'
import { killProcess, processesWith } from '../../support/processes.ts'
import { startSandboxProgram } from '../../support/ready-program.ts'
import { readZip } from '../../support/zip.ts'
import { seededRandom } from './open-sandbox.ts'

/** Milliseconds that may be missing at the end of a recording on a machine that is not late. */
const LOSS = 2_000
const FRAME = 1000 / 30
/** Seconds: long enough for three flashes. */
const MIN = 4

interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into by several tests, each for something else
  readonly body: any
}

/** Opens a bucket that accepts files by PUT, but leaves a number of first requests without an answer. */
async function openBucket(unanswered = 0) {
  const objects = new Map<string, Buffer>()
  const asked = Promise.withResolvers<void>()
  const server = createServer(async (request, response: ServerResponse) => {
    asked.resolve()
    const body = await buffer(request).catch(() => undefined) // its sender was killed
    if (!body || unanswered-- > 0) return
    objects.set(String(request.url).replace(/\?.*/, ''), body)
    response.setHeader('etag', '"1"').end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
  })
  return { objects, asked: asked.promise, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}

async function startSandbox(directory: string) {
  const program = await startSandboxProgram(['--data', directory])
  onTestFinished(async () => void (await program.stop()))
  const { url, apiKey, apiSecret, controlToken } = program.ready
  const call = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const iat = Math.floor(Date.now() / 1000)
    const token = await new SignJWT({ iss: apiKey, ist: 'project', iat, exp: iat + 180 })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode(apiSecret))
    const isForm = typeof body === 'string'
    const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json'
    const response = await fetch(url + path.replace('{apiKey}', apiKey), {
      method,
      headers: {
        [AUTH_HEADER]: token,
        accept: 'application/json',
        authorization: `Bearer ${controlToken}`,
        ...(body !== undefined && { 'content-type': type }),
      },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text ? JSON.parse(text) : undefined }
  }
  return {
    call,
    pid: program.child.pid,
    /** Kills the process as `kill -9` does, or with its encoders, as a stop of the machine does. */
    async kill(what: 'the process' | 'everything') {
      const encoders = what === 'everything' ? encodersIn(directory) : []
      program.child.kill('SIGKILL')
      for (const pid of encoders) killProcess(pid)
      await program.ended
    },
  }
}

const encodersIn = (directory: string) => processesWith(join(directory, 'media'))

/** Starts a sandbox that records a participant for some ms, and until the media that tests measure is on the disk. */
async function record(
  length: number,
  bucket: Awaited<ReturnType<typeof openBucket>>,
  outputMode: 'composed' | 'individual' = 'composed',
) {
  const directory = await mkdtemp(join(tmpdir(), 'showrunner-killed-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const sandbox = await startSandbox(directory)
  const { call } = sandbox
  const config = { accessKey: 'key', secretKey: 'of the bucket', bucket: 'recordings', endpoint: bucket.url }
  expect(await call('PUT', '/v2/project/{apiKey}/archive/storage', { type: 's3', config })).toMatchObject({
    status: 200,
  })
  const [session] = (await call('POST', '/session/create', 'p2p.preference=disabled')).body
  const sessionId = session.session_id as string
  expect(await call('POST', `/sandbox/sessions/${sessionId}/participants`, { name: 'Ada' })).toMatchObject({
    status: 201,
  })
  const { status, body: archive } = await call('POST', '/v2/project/{apiKey}/archive', { sessionId, outputMode })
  expect([status, archive.message]).toEqual([200, undefined])
  const answeredAt = Date.now()
  const meter = measureLateness(sandbox.pid)
  await realClock.sleep(length)
  await expect.poll(() => secondsWritten(join(directory, 'media'))).toBeGreaterThanOrEqual(MIN)
  const lateness = () => {
    meter.stop()
    return meter.between(answeredAt)
  }
  return {
    ...sandbox,
    directory,
    sessionId,
    archive: archive as { id: string; createdAt: number },
    answeredAt,
    lateness,
  }
}

/** Starts it again, waits until the archive has arrived, and watches it. */
async function arrival(directory: string, id: string, { objects }: Awaited<ReturnType<typeof openBucket>>) {
  const { call } = await startSandbox(directory)
  const read = async () => (await call('GET', `/v2/project/{apiKey}/archive/${id}`)).body
  await expect.poll(read).toMatchObject({ status: 'uploaded' })
  const [key = '', bytes] = [...objects].find(([key]) => key.includes(id)) ?? []
  const path = join(directory, 'arrived')
  await writeFile(path, key.endsWith('.zip') ? onlyStreamIn(bytes as Buffer) : (bytes as Buffer))
  const seen = await observe(await findFfmpeg(), path)
  expectWhole(seen)
  await expect.poll(() => encodersIn(directory)).toEqual([])
  return { archive: await read(), seen, bytes: bytes as Buffer, call }
}

function onlyStreamIn(zip: Buffer): Buffer {
  const streams = [...readZip(zip)].filter(([name]) => name.endsWith('.webm'))
  expect(streams).toHaveLength(1)
  return streams[0]?.[1] as Buffer
}

describe('a sandbox that is killed', () => {
  const random = seededRandom('killed')
  const someTime = () => 5_500 + (random(2).readUInt16BE() % 2_000)

  it.each([
    ['composed', 'the process'],
    ['composed', 'everything'],
    ['individual', 'the process'],
    ['individual', 'everything'],
  ] as const)(
    'has recorded an archive (%s) from the beginning to within 2 s and the lateness of the end, when %s is killed',
    async (outputMode, what) => {
      const bucket = await openBucket()
      const { directory, archive, answeredAt, lateness, kill } = await record(someTime(), bucket, outputMode)
      const late = lateness()
      const killedAt = Date.now()
      await kill(what)
      const diedAt = Date.now()
      const { seen, archive: recovered, bytes } = await arrival(directory, archive.id, bucket)
      const first = timeOfCode(seen.codes[0] ?? 0, archive.createdAt)
      expect(first).toBeGreaterThanOrEqual(archive.createdAt)
      expect(first).toBeLessThan(answeredAt + FRAME)
      const length = seen.codes.length * FRAME
      expect(first + length).toBeGreaterThan(killedAt - LOSS - late)
      expect(first + length).toBeLessThan(diedAt + FRAME)
      expect(recovered).toMatchObject({
        ...{ status: 'uploaded', reason: 'session ended' },
        ...{ duration: Math.round(length / 1000), size: bytes.length },
      })
    },
  )

  it('repeats the upload of a file that was being uploaded', async () => {
    const bucket = await openBucket(1)
    const { directory, archive, call, kill } = await record(someTime(), bucket)
    const stopped = await call('POST', `/v2/project/{apiKey}/archive/${archive.id}/stop`, {})
    expect(stopped.body).toMatchObject({ status: 'stopped' })
    await bucket.asked
    await kill('everything')
    const { archive: recovered, bytes } = await arrival(directory, archive.id, bucket)
    expect(recovered).toMatchObject({ status: 'uploaded', reason: 'user initiated', size: bytes.length })
  })

  it('agrees with its clients after a kill between a request and its answer', async () => {
    const bucket = await openBucket()
    const { directory, archive, sessionId, call, kill } = await record(someTime(), bucket)
    const stopping = call('POST', `/v2/project/{apiKey}/archive/${archive.id}/stop`, {}).catch(() => undefined)
    const starting = Array.from({ length: 8 }, (_, index) =>
      call('POST', '/v2/project/{apiKey}/archive', { sessionId, multiArchiveTag: `tag ${index}` }).catch(
        () => undefined,
      ),
    )
    await Promise.race([stopping, ...starting])
    await kill('everything')
    const stopped = await stopping
    const started = (await Promise.all(starting)).flatMap((answer) => (answer?.status === 200 ? [answer.body.id] : []))
    const after = await arrival(directory, archive.id, bucket)
    expect(after.archive.reason).toEqual(
      stopped?.status === 200 ? 'user initiated' : expect.stringMatching(/initiated|ended/),
    )
    const { items } = (await after.call('GET', '/v2/project/{apiKey}/archive?count=1000')).body
    expect(items.map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining(started))
    for (const { status } of items) expect(['stopped', 'uploaded', 'failed']).toContain(status)
  })
})
