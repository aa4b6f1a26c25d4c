import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { runCommand } from '../../../../bin/commands/shows/run.ts'
import { type Listening, listen } from '../../../../local/cloud/server.ts'
import { collectOutput } from '../../../support/stdout.ts'

const show = { version: 1, name: 'Lecture', duration: 60, recordings: [{ name: 'program' }] }
const at = '2026-11-20T10:00:00.000Z'
const part = { name: 'program', part: 1, tag: 'a-show/program/1', archiveId: 'aaa', status: 'uploaded', key: '1/aaa' }
const happened = ['session.opened', 'upload.targetSet', 'audience.present'].map((what) => ({ at, what }))

let folder: string
let file: string
let server: Listening
let output: ReturnType<typeof collectOutput>
/** Statuses of the recording at its polls; the last one stays. */
let statuses: (string | undefined)[]
let posted: unknown[]
let answerOfPost: object

async function api(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url)
  if (request.method === 'POST') {
    posted.push(await request.json())
    return Response.json(answerOfPost, { status: 202 })
  }
  if (pathname === '/recordings') {
    const status = statuses.length > 1 ? statuses.shift() : statuses[0]
    const watch = { url: `${server.url}/watch/aaa` }
    return Response.json({ items: status ? [{ archiveId: 'aaa', status, watch }] : [] })
  }
  const scheduled = { start: { cron: '0 19 ? * TUE *', zone: 'Europe/Berlin' } }
  if ((answerOfPost as { status?: string }).status === 'scheduled')
    return Response.json({ showId: 'a-show', ...scheduled })
  const result = { status: 'succeeded', reason: 'It ended as planned.', recordings: [part], broadcasts: [] }
  const state = { showId: 'a-show', name: 'Lecture', acceptedAt: at, liveAt: at, recordings: [part], broadcasts: [] }
  return Response.json({ ...state, status: 'succeeded', timeline: happened, result })
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'showrunner-test-'))
  file = join(folder, 'show.json')
  await writeFile(file, JSON.stringify(show))
  server = await listen(api)
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})
beforeEach(() => {
  statuses = ['complete']
  posted = []
  answerOfPost = { showId: 'a-show', status: 'starting' }
  vi.stubEnv('SHOWRUNNER_TOKEN', 'token')
  output = collectOutput()
})
afterEach(() => {
  process.exitCode = undefined
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

const run = (...options: string[]) =>
  runCommand()
    .exitOverride()
    .parseAsync([file, '--url', server.url, ...options], { from: 'user' })

describe('run on a deployment', () => {
  it('starts a show, waits until it is published, and prints the watch link', async () => {
    statuses = [undefined, 'complete']
    await run('--json')
    expect(posted).toEqual([show])
    expect(JSON.parse(output.stdout)).toMatchObject({
      ...{ showId: 'a-show', status: 'succeeded' },
      recordings: [{ name: 'program', published: 'complete', watch: `${server.url}/watch/aaa` }],
    })
    expect([output.stderr.includes('Published program'), process.exitCode]).toEqual([true, undefined])
  })

  it('ends with the sentence that the exit code agrees with', async () => {
    statuses = ['failed']
    await run()
    expect(output.stdout).toMatch(/✖ Not published: program\.\n$/)
    expect(output.stdout).toContain(`\`show a-show --url ${server.url}\` prints its progress and its outcome.`)
    expect(process.exitCode).toBe(1)
  })

  it('prints the id and the start of a show that is scheduled', async () => {
    answerOfPost = { showId: 'a-show', status: 'scheduled' }
    await run()
    expect(output.stdout).toMatch(
      /^Show a-show is scheduled: it starts every Tuesday at 19:00 \(Europe\/Berlin\), next on .+ local time; `show a-show/,
    )
  })

  it('refuses participants, which join local shows only', async () => {
    await expect(run('--participants', '2')).rejects.toThrow('Participants can join local shows only.')
    expect(posted).toEqual([])
  })
})
