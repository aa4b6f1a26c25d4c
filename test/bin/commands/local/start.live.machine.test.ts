import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readFunctionLog } from '../../../../bin/local/function-log.ts'
import { findRunningLocal, localFileOf } from '../../../../bin/local/local-file.ts'
import { type ConsolePage, visitConsole } from '../../../support/console.ts'
import { processesWith } from '../../../support/processes.ts'
import { startProgram } from '../../../support/program.ts'
import { type LocalAddresses, type ReadyProgram, startLocal } from '../../../support/ready-program.ts'
import { leaksOfLocalFolder } from '../../../support/secrecy/local-folder.ts'

interface Ended {
  readonly timeline: readonly { readonly what: string }[]
  readonly result: { readonly reason: string }
}

let folder: string
/** The show that is left running, once a test has done so. */
let running = ''
let directory: string
let local: ReadyProgram<LocalAddresses>
let visit: ConsolePage

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'showrunner-start-'))
  directory = join(folder, 'local')
  await start()
})
async function start() {
  local = await startLocal(directory)
  visit = await visitConsole(local.ready.consoleUrl)
}
afterAll(async () => {
  await local?.stop()
  await rm(folder, { recursive: true, force: true })
})

const show = (duration: number) => ({ version: 1, name: 'Short', duration, recordings: [{ name: 'program' }] })
const page = async <Answer = { items: { archiveId: string; source: { url: string } }[] }>(path: string) =>
  (await (await visit(path)).json()) as Answer

async function run(duration: number) {
  const file = join(folder, `${duration}.json`)
  await writeFile(file, JSON.stringify(show(duration)))
  return startProgram(['run', file, '--participants', '2', '--json', '--directory', directory])
}

describe('start and run', () => {
  it('rotate the project secret before any show, and use the new one', async () => {
    const options = ['--wait', '60', '--json', '--directory', directory]
    const { code, stdout } = await startProgram(['rotate', 'project-secret', ...options]).ended
    expect([code, JSON.parse(stdout).done]).toEqual([0, true])
    const archives = await startProgram(['platform', 'listArchives', '--json', '--directory', directory]).ended
    expect(JSON.parse(archives.stdout)).toMatchObject({ count: 0 })
  })

  it('run a show from its file to its recording, which the console shows', async () => {
    const { code, stdout } = await (await run(4)).ended
    const outcome = JSON.parse(stdout)
    expect(outcome).toMatchObject({ status: 'succeeded', recordings: [{ name: 'program', published: 'complete' }] })
    expect(code).toBe(0)

    const { archiveId } = outcome.recordings[0]
    expect((await page('/api/shows')).items).toMatchObject([{ showId: outcome.showId, status: 'succeeded' }])
    const [recording] = (await page('/api/recordings')).items
    expect(recording).toMatchObject({
      archiveId,
      status: 'complete',
      files: expect.arrayContaining([expect.objectContaining({ role: 'poster' })]),
    })
    const video = await fetch(recording?.source.url ?? '', { headers: { range: 'bytes=4-7' } })
    expect([video.status, await video.text()]).toEqual([206, 'ftyp'])
  })

  it('list and print the show and its log', async () => {
    const ask = async (...args: string[]) => {
      const { code, stdout, stderr } = await startProgram([...args, '--directory', directory]).ended
      expect([code, stderr]).toEqual([0, ''])
      return stdout
    }
    const [listed] = JSON.parse(await ask('list', '--json')).items
    expect(listed).toMatchObject({ name: 'Short', status: 'succeeded' })
    expect(await ask('show', listed.showId)).toMatch(/^recording +program +uploaded /m)
    const { timeline } = JSON.parse(await ask('logs', listed.showId, '--json'))
    expect(timeline.map(({ what }: { what: string }) => what)).toContain('recording.arrived')

    const films = join(folder, 'films')
    const downloaded = await ask('recordings', 'download', listed.showId, '--output', films)
    const [, film = ''] = /^✔ (.+\/Short – program – \d{4}-\d\d-\d\d\.mp4) \(\d+\.\d MB\)\n$/.exec(downloaded) ?? []
    expect((await readFile(film)).toString('latin1', 4, 8)).toBe('ftyp')
    expect(await ask('recordings', 'list')).toContain('/watch/')
  })

  it('deliver every callback of the platform to the stack', async () => {
    const { controlToken } = await findRunningLocal(localFileOf(directory))
    const headers = { authorization: `Bearer ${controlToken}` }
    const path = `/sandbox/projects/${local.ready.apiKey}/callbacks`
    const tally = async () =>
      (await (await fetch(local.ready.sandboxUrl + path, { headers })).json()) as { delivered: number }
    await expect.poll(async () => (await tally()).delivered).toBeGreaterThan(5)
    expect(await tally()).toMatchObject({ url: `${local.ready.apiUrl}/callbacks/all`, givenUp: 0, dropped: 0 })
  })

  it('print what an event app needs, which works', async () => {
    const { stdout } = await startProgram(['env', '--directory', directory]).ended
    const [url, token, keys] = stdout.split('\n').map((line) => line.slice(line.indexOf('=') + 1))
    expect(stdout).toBe(`SHOWRUNNER_URL=${url}\nSHOWRUNNER_TOKEN=${token}\nCALLBACK_KEYS=${keys}\n`)
    const list = await fetch(`${url}/shows`, { headers: { authorization: `Bearer ${token}` } })
    const published = (await (await fetch(keys ?? '')).json()) as { keys: readonly { alg: string }[] }
    expect([url, list.status, published.keys[0]?.alg]).toEqual([local.ready.apiUrl, 200, 'EdDSA'])
  })

  it('open the console in the browser by an address that logs in once', async () => {
    const opened = join(folder, 'opened')
    const script = `#!/bin/sh\nprintf %s "$1" > ${opened}.new; mv ${opened}.new ${opened}\n`
    await writeFile(join(folder, 'xdg-open'), script, { mode: 0o700 })
    const { code, stderr } = await startProgram(['open', '--directory', directory], {
      PATH: `${folder}:${process.env.PATH}`,
    }).ended
    expect([code, stderr]).toEqual([0, ''])
    await expect.poll(() => existsSync(opened)).toBe(true)
    const address = await readFile(opened, 'utf8')
    expect(address.replace(/=.*/, '')).toBe(`${new URL(local.ready.consoleUrl).origin}/?ticket`)
    expect([(await fetch(address)).status, (await fetch(address)).status]).toEqual([200, 401])
  })

  it('let a viewer only read', async () => {
    const { stdout } = await startProgram(['token', '--role', 'viewer', '--json', '--directory', directory]).ended
    const headers = { authorization: `Bearer ${JSON.parse(stdout).token}`, 'content-type': 'application/json' }
    const [read, post] = await Promise.all([
      fetch(`${local.ready.apiUrl}/shows`, { headers }),
      fetch(`${local.ready.apiUrl}/shows`, { headers, method: 'POST', body: JSON.stringify(show(4)) }),
    ])
    expect([read.status, post.status]).toEqual([200, 403])
  })

  it('stop following a show at Ctrl-C, while the show continues', async () => {
    const following = await run(600)
    await following.says(/recording for 600 s/)
    following.child.kill('SIGINT')
    const { code, stdout, stderr } = await following.ended
    running = /Interrupted\. Show (\S+) continues;/.exec(stderr)?.[1] ?? ''
    expect([code, stdout, running]).toEqual([130, '', expect.stringMatching(/./)])
    expect(await page(`/api/shows/${running}`)).toMatchObject({ status: 'live' })
  })

  it('stop without leaving a process, a port or the local file', async () => {
    expect((await local.stop()).code).toBe(0)
    expect(processesWith(directory)).toEqual([])
    expect(existsSync(localFileOf(directory))).toBe(false)
    const { consoleUrl, apiUrl, sandboxUrl } = local.ready
    for (const url of [consoleUrl, apiUrl, sandboxUrl]) await expect(fetch(url)).rejects.toThrow()
  })

  it('write no secret outside the secret store, the log of the functions included', async () => {
    const lines = (await readFunctionLog(directory)).map(({ name }) => name)
    expect(lines.length).toBeGreaterThan(20)
    expect(leaksOfLocalFolder(directory)).toEqual([])
  })

  it('close at the next start a show that was left running, and accept the token of the first start', async () => {
    expect(running, 'the show that was left running').not.toBe('')
    const { token } = local.ready
    await start()
    const list = await fetch(`${local.ready.apiUrl}/shows`, { headers: { authorization: `Bearer ${token}` } })
    expect(list.status).toBe(200)
    const status = async () => (await page<{ status: string }>(`/api/shows/${running}`)).status
    await expect.poll(status, { interval: 500 }).toBe('failed')
    const { timeline, result } = await page<Ended>(`/api/shows/${running}`)
    expect(timeline.map(({ what }) => what)).toContain('show.closing')
    expect(result.reason).toMatch(/\w/)
  })
})
