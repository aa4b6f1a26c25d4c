import { createHash } from 'node:crypto'
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { recordingsCommand } from '../../../../bin/commands/recordings/recordings.ts'
import { type Listening, listen } from '../../../../local/cloud/server.ts'
import { collectOutput } from '../../../support/stdout.ts'

const film = Buffer.alloc(200_000, 'film')
const sha256 = createHash('sha256').update(film).digest('hex')
const CREATED = '2026-11-22T12:00:00.000Z'

let folder: string
let server: Listening
let output: ReturnType<typeof collectOutput>

const fileOf = (key: string) => ({ key, size: film.length, sha256, url: `${server.url}/bucket/${key}` })
const recordingOf = (archiveId: string, name: string, part = 1) => ({
  archiveId,
  createdAt: CREATED,
  status: 'complete',
  access: 'signed',
  duration: 20.04,
  show: { showId: 'launch', name, part },
  source: { ...fileOf(`1/${archiveId}/archive.mp4`), etag: archiveId },
  files: [{ role: 'faststart', ...fileOf(`recordings/${archiveId}/faststart/1/video.mp4`) }],
  watch: { url: `${server.url}/watch/${archiveId}` },
})
const recordings = () => [
  recordingOf('aaa', 'program'),
  recordingOf('bbb', 'program', 2),
  recordingOf('aaa-joined', 'program'),
  recordingOf('ccc', 'speakers'),
]
const parts = [
  { name: 'program', part: 1, archiveId: 'aaa' },
  { name: 'program', part: 2, archiveId: 'bbb' },
  { name: 'speakers', part: 1, archiveId: 'ccc' },
]

const notFound = (type: string) =>
  Response.json({ type: `problems#${type}`, status: 404, detail: 'There is none.' }, { status: 404 })

async function api(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url)
  const [, what, id = ''] = pathname.split('/')
  if (what === 'bucket') return new Response(film)
  if (pathname === '/recordings') return Response.json({ items: recordings() })
  if (pathname === '/shows/launch')
    return Response.json({
      showId: 'launch',
      name: 'Launch: webinar',
      status: 'succeeded',
      recordings: parts,
      result: {},
    })
  if (pathname === '/shows/early')
    return Response.json({ showId: 'early', name: 'Early', status: 'live', recordings: [] })
  if (what === 'shows') return notFound('unknown-show')
  const found = recordings().find(({ archiveId }) => archiveId === id)
  return found ? Response.json(found) : notFound('unknown-recording')
}

beforeAll(async () => {
  server = await listen(api)
})
afterAll(() => server.close())
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'showrunner-test-'))
  vi.stubEnv('SHOWRUNNER_TOKEN', 'token')
  output = collectOutput()
})
afterEach(async () => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true })
})

async function run(...args: string[]): Promise<string> {
  output.stdout = ''
  await recordingsCommand().parseAsync([...args, '--url', server.url], { from: 'user' })
  return output.stdout
}

describe('recordings list', () => {
  it('prints recordings with the links to their watch pages', async () => {
    const printed = await run('list')
    expect(printed).toMatch(/^RECORDING +STATUS +RECORDED +DURATION +SIZE +NAME +SHOW\n/)
    expect(printed).toMatch(/^bbb +complete +2026-11-2\d \d\d:\d\d +20 s +0\.2 MB +program \(part 2\) +launch$/m)
    expect(printed).toContain(`\n  ${server.url}/watch/bbb\n`)
    expect(JSON.parse(await run('list', '--json')).items).toHaveLength(4)
  })
})

describe('recordings open', () => {
  it('opens the first recording of a show, and prints every link', async () => {
    const opened = join(folder, 'opened')
    await writeFile(join(folder, 'xdg-open'), `#!/bin/sh\necho "$1" > '${opened}'\n`)
    await chmod(join(folder, 'xdg-open'), 0o755)
    await writeFile(join(folder, 'open'), `#!/bin/sh\necho "$1" > '${opened}'\n`)
    await chmod(join(folder, 'open'), 0o755)
    vi.stubEnv('PATH', `${folder}:${process.env.PATH}`)
    const printed = await run('open', 'launch')
    expect(printed).toContain(`Launch webinar – program – 2026-11-22\n  ${server.url}/watch/aaa-joined\n`)
    expect(printed).toContain(`${server.url}/watch/ccc\n`)
    await expect.poll(() => readFile(opened, 'utf8').catch(() => '')).toBe(`${server.url}/watch/aaa-joined\n`)
  })

  it('prints links as JSON', async () => {
    const watch = `${server.url}/watch/ccc`
    const title = 'Launch webinar – speakers – 2026-11-22'
    expect(JSON.parse(await run('open', 'ccc', '--json'))).toEqual({ items: [{ archiveId: 'ccc', title, watch }] })
  })

  it.each([
    ['early', 'The show early is live. Its recordings are published after it has ended.'],
    ['none', 'There is no recording and no show none.'],
  ])('reports that %s has no recording', async (id, sentence) => {
    await expect(run('open', id)).rejects.toThrow(sentence)
  })
})

describe('recordings download', () => {
  it('downloads every recording of a show under names for people', async () => {
    const { files } = JSON.parse(await run('download', 'launch', '-o', folder, '--json'))
    const names = ['Launch webinar – program – 2026-11-22.mp4', 'Launch webinar – speakers – 2026-11-22.mp4']
    expect((await readdir(folder)).toSorted()).toEqual(names)
    expect(files).toMatchObject([
      { archiveId: 'aaa-joined', path: join(folder, names[0] as string), outcome: 'downloaded' },
      { archiveId: 'ccc', size: film.length },
    ])
    expect(film.equals(await readFile(join(folder, names[1] as string)))).toBe(true)
  })

  it('leaves a file that is already there', async () => {
    await run('download', 'ccc', '--output', folder)
    expect(await run('download', 'ccc', '--output', folder)).toMatch(/^✔ .*2026-11-22\.mp4 \(is already there\)\n$/)
    expect(await readdir(folder)).toHaveLength(1)
  })

  it('names the part of a recording, and reports a kind that it does not have', async () => {
    await run('download', 'bbb', '-o', folder)
    expect(await readdir(folder)).toEqual(['Launch webinar – program – part 2 – 2026-11-22.mp4'])
    await expect(run('download', 'bbb', '-o', folder, '--kind', 'audio')).rejects.toThrow(
      'The recording bbb has no file of the kind audio.',
    )
  })
})
