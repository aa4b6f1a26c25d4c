import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { localFileOf } from '../../../bin/local/local-file.ts'
import { type Listening, listen } from '../../../local/cloud/server.ts'
import { startProgram } from '../../support/program.ts'

const TOKEN = 'token-of-the-issuer'
const ids = Array.from({ length: 130 }, (_, index) => `show-${130 - index}`)
const acceptedAt = '2026-11-20T10:00:00.000Z'
const summaryOf = (showId: string) => ({
  showId,
  name: 'Launch\u001b[2J webinar',
  status: statuses.get(showId) ?? 'succeeded',
  acceptedAt,
})
const timeline = [
  { at: '2026-11-20T10:00:01.000Z', what: 'session.opened' },
  { at: '2026-11-20T10:00:05.000Z', what: 'recording.started', name: 'program', part: 2, detail: 'It continues.' },
]
const recorded = { name: 'program', part: 1, tag: 't', status: 'uploaded', archiveId: 'archive-1' }
const showOf = (showId: string, status: string) => ({
  ...summaryOf(showId),
  status,
  recordings: showId === 'is-waiting' ? [] : [recorded],
  broadcasts: [],
  timeline,
  ...(status === 'scheduled' && { start: { cron: '0 19 ? * TUE *', zone: 'Europe/Berlin' } }),
  ...(status === 'failed' && { result: { status, reason: 'It ended.', recordings: [], broadcasts: [] } }),
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

const NONE = { SHOWRUNNER_URL: '', SHOWRUNNER_TOKEN: '', TZ: 'Europe/Berlin' }
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

  it('prints one line per show in local time, without control characters', async () => {
    ids.unshift('is-scheduled')
    const { stdout } = await onLocal('list', '--limit', '2')
    ids.shift()
    const [head = '', ...rows] = stdout.split('\n').slice(0, 3)
    expect([head.replace(/ +/g, ' '), ...rows.map((row) => row.replace(/ +/g, ' '))]).toEqual([
      'SHOW STATUS TIME NAME',
      expect.stringMatching(
        /^is-scheduled scheduled starts every Tuesday at 19:00 \(Europe\/Berlin\), next on \d{4}-\d\d-\d\d 19:00 local time Launch/,
      ),
      'show-130 succeeded accepted 2026-11-20 11:00 Launch [2J webinar',
    ])
    expect(stdout).toContain('There are more shows: --cursor 2')
  })

  it('prints the list again when it changes, until it is interrupted', async () => {
    const program = startProgram(['list', '--watch', '--limit', '3'], { ...NONE, ...ofDeployment() })
    await program.says(/^show-130/m)
    ids.unshift('is-live')
    await program.says(/^is-live +live/m)
    program.child.kill('SIGINT')
    const { code, stdout, stderr } = await program.ended
    ids.shift()
    expect([code, stderr, stdout.match(/^SHOW /gm)?.length]).toEqual([130, '', 2])
  })
})

describe('showCommand', () => {
  it('prints the start, the recordings and the timeline', async () => {
    const { stdout } = await onLocal('show', 'is-scheduled')
    expect(stdout).toMatch(/^Starts +every Tuesday at 19:00 \(Europe\/Berlin\), next on .* 19:00 local time$/m)
    expect(stdout).toMatch(/^recording +program +uploaded +archive-1$/m)
    expect(stdout).toMatch(/^2026-11-20 11:00:05 +recording.started +program \(part 2\) +It continues\.$/m)
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

  it('says what is so of a show that never began', async () => {
    statuses.set('is-waiting', 'waiting')
    const { stdout } = await run(['stop', 'is-waiting'])
    expect(stdout).toBe(
      'Show is-waiting is stopped (ending) before it began. No participant had joined, so nothing was recorded.\n',
    )
    expect((await run(['stop', 'is-scheduled'])).stdout).toBe('Show is-scheduled is unscheduled: it starts no more.\n')
    expect((await run(['stop', 'is-live'])).stdout).toContain('Its files are being uploaded')
  })

  it('does not change a show that has ended', async () => {
    const { code, stdout } = await run(['stop', 'is-failed'])
    expect([code, stdout]).toEqual([0, 'Show is-failed had already ended with the status failed.\n'])
    expect(requests.filter((request) => !request.startsWith('GET'))).toEqual([])
  })
})

describe('logsCommand', () => {
  const logged = (name: string, fields: object) => `2026-11-20T10:00:02.000Z ${name} ${JSON.stringify(fields)}`
  const log = [
    logged('ApiF70053CD', {
      level: 'INFO',
      message: 'done',
      task: 'api',
      route: 'GET /shows/{id}',
      showId: 'is-failed',
    }),
    logged('OpenSession2B34CB87', {
      level: 'INFO',
      message: 'done',
      task: 'openSession',
      showId: 'is-failed',
      milliseconds: 66,
    }),
    logged('StartRecordingB98C6A46', {
      level: 'WARN',
      message: 'slow',
      task: 'startRecording',
      showId: 'is-failed',
      try: 2,
    }),
    logged('OpenSession2B34CB87', { level: 'INFO', message: 'again', task: 'openSession', showId: 'is-failed' }),
    '2026-11-20T10:00:03.000Z Sweep about is-live',
  ]
  beforeAll(async () => {
    await mkdir(join(folder, 'local'))
    await writeFile(join(folder, 'local/functions.log'), `${log.join('\n')}\n`)
  })

  it('prints the timeline and the log lines of a local show by task', async () => {
    const { stdout } = await onLocal('logs', 'is-failed')
    expect(stdout).toMatch(/^2026-11-20 11:00:01 +session\.opened$/m)
    expect(stdout.slice(stdout.indexOf('openSession:'))).toBe(
      'openSession:\n  11:00:02  done in 66 ms\n  11:00:02  again\nstartRecording:\n  11:00:02  WARN slow try=2\n',
    )
    expect((await onLocal('logs', 'is-failed', '--level', 'warn')).stdout).not.toContain('openSession')
    expect((await onLocal('logs', 'is-failed', '--reads')).stdout).toContain('api:\n  11:00:02  done route=GET /shows')
  })

  it('prints the lines as they are logged as JSON', async () => {
    const lines = [{ at: '2026-11-20T10:00:03.000Z', name: 'Sweep', text: 'about is-live' }]
    const { stdout } = await onLocal('logs', 'is-live', '--json')
    expect(JSON.parse(stdout)).toEqual({ showId: 'is-live', timeline, lines })
  })

  it('follows a show until it has ended', async () => {
    const program = startProgram(['logs', 'is-live', '--follow', '--directory', join(folder, 'local')], NONE)
    await program.says(/^11:00:03 {2}Sweep: about is-live$/m)
    await appendFile(join(folder, 'local/functions.log'), '2026-11-20T10:00:09.000Z Sweep closes is-live\n')
    await program.says(/^11:00:09 {2}Sweep: closes is-live$/m)
    statuses.set('is-live', 'failed')
    const { code, stdout } = await program.ended
    expect([code, stdout.match(/● session\.opened$/gm)]).toEqual([0, ['● session.opened']])
    expect(stdout).toMatch(/^11:00:01 {2}● session\.opened\n11:00:03 {2}Sweep: .*\n11:00:05 {2}● recording\.started/m)
  })

  it('prints the query for CloudWatch Logs on AWS', async () => {
    const { stdout } = await run(['logs', 'is-live'])
    expect(stdout).toContain('session.opened')
    expect(stdout).toContain('filter @message like /is-live/')
  })
})
