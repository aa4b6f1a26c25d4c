import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { localFileOf } from '../../../bin/local/local-file.ts'
import { type Listening, listen } from '../../../local/cloud/server.ts'
import { startProgram } from '../../support/program.ts'

const TOKEN = 'token-of-the-issuer'
const ids = Array.from({ length: 130 }, (_, index) => `show-${130 - index}`)
const acceptedAt = '2026-11-20T10:00:00.000Z'
const summaryOf = (showId: string) => ({ showId, name: 'Launch\u001b[2J webinar', status: 'succeeded', acceptedAt })
const timeline = [
  { at: '2026-11-20T10:00:01.000Z', what: 'session.opened' },
  { at: '2026-11-20T10:00:05.000Z', what: 'recording.started', name: 'program', part: 2, detail: 'It continues.' },
]
const showOf = (showId: string, status: string) => ({
  ...summaryOf(showId),
  status,
  recordings: [{ name: 'program', part: 1, tag: `${showId}/program/1`, status: 'uploaded', archiveId: 'archive-1' }],
  broadcasts: [],
  timeline,
  ...(status === 'scheduled' && { start: { at: '2026-12-01T19:00', zone: 'Europe/Berlin' } }),
})

let folder: string
let server: Listening
const requests: string[] = []
const statuses = new Map<string, string>()

/** An API with the routes that these commands call. */
async function api(request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url)
  requests.push(`${request.method} ${pathname}`)
  if (request.method === 'HEAD') return new Response('the console')
  if (request.headers.get('authorization') !== `Bearer ${TOKEN}`)
    return Response.json({ message: 'Unauthorized' }, { status: 401 })
  if (pathname === '/shows') {
    const from = Number(searchParams.get('cursor') ?? 0)
    const until = from + Number(searchParams.get('limit'))
    const more = until < ids.length && { cursor: String(until) }
    return Response.json({ items: ids.slice(from, until).map(summaryOf), ...more })
  }
  const [, showId = '', act] = /^\/shows\/([^/]+)(?:\/(\w+))?$/.exec(pathname) ?? []
  const status = statuses.get(showId)
  if (status === undefined) return Response.json({ detail: `There is no show ${showId}.` }, { status: 404 })
  if (act === 'stop') statuses.set(showId, 'ending')
  if (request.method === 'DELETE') statuses.set(showId, 'stopped')
  return Response.json(showOf(showId, statuses.get(showId) ?? ''))
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'showrunner-test-'))
  server = await listen(api)
  const addresses = { apiUrl: server.url, sandboxUrl: server.url, consoleUrl: server.url }
  const cloud = {
    awsAccess: { endpoint: server.url },
    controlToken: 'd',
    callbackSecret: 'c',
    outputs: { ShowSecretsPrefix: 'p/' },
  }
  const laptop = { ...addresses, ...cloud, token: TOKEN, sandboxAccess: { apiKey: '1' }, pid: process.pid }
  await writeFile(localFileOf(join(folder, 'local')), JSON.stringify(laptop))
})
beforeEach(() => {
  requests.length = 0
  for (const status of ['scheduled', 'live', 'failed']) statuses.set(`is-${status}`, status)
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

const NONE = { SHOWRUNNER_URL: '', SHOWRUNNER_TOKEN: '' }
const ofDeployment = () => ({ SHOWRUNNER_URL: server.url, SHOWRUNNER_TOKEN: TOKEN })

async function run(args: readonly string[], environment: NodeJS.ProcessEnv = ofDeployment()) {
  const { code, stdout, stderr } = await startProgram(args, { ...NONE, ...environment }).ended
  return { code, stdout, stderr }
}
const onLocal = (...args: string[]) => run([...args, '--directory', join(folder, 'local')], {})

describe('listCommand', () => {
  it('reads pages up to the limit, and prints the next cursor', async () => {
    const { stdout } = await run(['list', '--limit', '120', '--json'])
    const { items, cursor } = JSON.parse(stdout)
    expect(items.map(({ showId }: { showId: string }) => showId)).toEqual(ids.slice(0, 120))
    expect([cursor, requests.length]).toEqual(['120', 2])
    const rest = await run(['list', '--limit', '120', '--cursor', cursor, '--json'])
    expect(JSON.parse(rest.stdout)).toEqual({ items: ids.slice(120).map(summaryOf) })
  })

  it('prints one line per show, without control characters', async () => {
    const { stdout } = await onLocal('list', '--limit', '2')
    expect(stdout.split('\n').slice(0, 2)).toEqual([
      'SHOW      STATUS     ACCEPTED              NAME',
      'show-130  succeeded  2026-11-20T10:00:00Z  Launch [2J webinar',
    ])
    expect(stdout).toContain('There are more shows: --cursor 2')
  })
})

describe('showCommand', () => {
  it('prints the start, the recordings and the timeline', async () => {
    const { stdout } = await onLocal('show', 'is-scheduled')
    expect(stdout).toMatch(/^Starts +2026-12-01T19:00 \(Europe\/Berlin\)$/m)
    expect(stdout).toMatch(/^recording +program +uploaded +archive-1$/m)
    expect(stdout).toMatch(/^2026-11-20T10:00:05.000Z +recording.started +program \(part 2\) +It continues\.$/m)
  })

  it('prints the answer of the API', async () => {
    expect(JSON.parse((await run(['show', 'is-live', '--json'])).stdout)).toEqual(showOf('is-live', 'live'))
  })
})

describe('stopCommand', () => {
  it.each([
    ['live', 'POST /shows/is-live/stop', 'ending'],
    ['scheduled', 'DELETE /shows/is-scheduled', 'stopped'],
  ])('stops a show that is %s', async (was, request, status) => {
    const { stdout } = await run(['stop', `is-${was}`, '--json'])
    expect(JSON.parse(stdout)).toEqual({ showId: `is-${was}`, was, status })
    expect(requests).toContain(request)
  })

  it('does not change a show that has ended', async () => {
    const { code, stdout } = await run(['stop', 'is-failed'])
    expect([code, stdout]).toEqual([0, 'Show is-failed had already ended with the status failed.\n'])
    expect(requests.filter((request) => !request.startsWith('GET'))).toEqual([])
  })
})

describe('logsCommand', () => {
  it('prints the timeline and the log lines of a local show', async () => {
    const log = ['2026-11-20T10:00:02.000Z Api about is-live', '2026-11-20T10:00:03.000Z Api about is-failed', '']
    await mkdir(join(folder, 'local'))
    await writeFile(join(folder, 'local/functions.log'), log.join('\n'))
    const lines = [{ at: '2026-11-20T10:00:02.000Z', name: 'Api', text: 'about is-live' }]
    const { stdout } = await onLocal('logs', 'is-live', '--json')
    expect(JSON.parse(stdout)).toEqual({ showId: 'is-live', timeline, lines })
    expect((await onLocal('logs', 'is-live')).stdout).toContain(`${log[0]}\n`)
  })

  it('prints the query for CloudWatch Logs on AWS', async () => {
    const { stdout } = await run(['logs', 'is-live'])
    expect(stdout).toContain('session.opened')
    expect(stdout).toContain('filter @message like /is-live/')
  })
})
