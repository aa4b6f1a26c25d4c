import { spawnSync } from 'node:child_process'
import { chown, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { claimLocalFile, findRunningLocal, localFileOf } from '../../../bin/local/local-file.ts'
import { type Listening, listen } from '../../../local/cloud/server.ts'

let folder: string
let path: string
let page: Listening

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'showrunner-test-'))
  path = localFileOf(join(folder, 'local'))
  page = await listen(async () => new Response('here'))
})
afterEach(async () => {
  await page.close()
  await rm(folder, { recursive: true })
})

const addresses = () => ({
  apiUrl: 'http://127.0.0.1:1',
  token: 't',
  tokens: { viewer: 'v', operator: 'o', admin: 't' },
  sandboxUrl: 'http://127.0.0.1:2',
  sandboxAccess: {
    insightsUrl: 'http://127.0.0.1:2/insights',
    apiKey: '100001',
    apiSecret: 's',
    accountKey: '1',
    accountSecret: 't',
  },
  awsAccess: { endpoint: 'http://127.0.0.1:3', region: 'r', credentials: { accessKeyId: 'k', secretAccessKey: 'a' } },
  controlToken: 'd',
  callbackSecret: 'c',
  outputs: { ShowSecretsPrefix: 'shows/' },
  consoleUrl: page.url,
  joinUrl: 'http://127.0.0.1:4/#i',
})
const write = (content: unknown) => writeFile(path, JSON.stringify(content))
const deadPid = () => spawnSync(process.execPath, ['--version']).pid

describe('claimLocalFile', () => {
  it('publishes addresses and credentials that only the owner can read', async () => {
    const claim = await claimLocalFile(path)
    await claim.publish(addresses())
    expect(await findRunningLocal(path)).toEqual({ ...addresses(), pid: process.pid })
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(await readdir(folder)).toEqual(['local.json'])
    await claim.release()
    expect(await readdir(folder)).toEqual([])
  })

  it('refuses a second process, while the first starts and while it runs', async () => {
    const claim = await claimLocalFile(path)
    await expect(claimLocalFile(path)).rejects.toThrow(/already starting \(process \d+\)/)
    await claim.publish(addresses())
    await expect(claimLocalFile(path)).rejects.toThrow(`already running at ${page.url} (process ${process.pid})`)
  })

  it.each([
    ['of a dead process', () => ({ ...addresses(), pid: deadPid() })],
    [
      'whose process id belongs to another program',
      () => ({ ...addresses(), consoleUrl: 'http://127.0.0.1:9', pid: process.pid }),
    ],
    ['that cannot be parsed', () => 'nonsense'],
  ])('replaces a file %s', async (_, content) => {
    await write(content())
    await claimLocalFile(path)
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ pid: process.pid })
  })
})

describe('findRunningLocal', () => {
  it('reports how to start when none runs', async () => {
    const sentence = 'Showrunner is not running. Start it with `npm start` first.'
    await expect(findRunningLocal(path)).rejects.toThrow(sentence)
    await write({ ...addresses(), pid: deadPid() })
    await expect(findRunningLocal(path)).rejects.toThrow(sentence)
    await writeFile(path, '{ "pid": 1')
    await expect(findRunningLocal(path)).rejects.toThrow(sentence)
  })

  it('refuses a file of another user, and a link to one', async () => {
    const isRoot = process.getuid?.() === 0
    await write(addresses())
    if (isRoot) await chown(path, 65_534, 65_534)
    const foreign = isRoot ? path : '/etc/passwd'
    const link = `${path}.link`
    await symlink(foreign, link)
    for (const one of [foreign, link]) {
      await expect(findRunningLocal(one)).rejects.toThrow(`${one} is a link, or a file of another user. Remove it`)
      await expect(claimLocalFile(one)).rejects.toThrow('a file of another user')
    }
  })

  it('reports that it is still starting', async () => {
    await claimLocalFile(path)
    await expect(findRunningLocal(path)).rejects.toThrow('Showrunner is still starting')
  })
})
