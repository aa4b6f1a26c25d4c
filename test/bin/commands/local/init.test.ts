import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { root } from '../../../../bin/local/root.ts'
import { realClock } from '../../../../lib/clock.ts'
import { createCallbackKeys } from '../../../../lib/operations/notifications/callback-keys.ts'
import { createOwnerCallbacks } from '../../../../lib/operations/notifications/owner-callbacks.ts'
import { parseShow } from '../../../../lib/show/document/show.ts'
import { listen } from '../../../../local/cloud/server.ts'
import { freePort } from '../../../support/rtmp/free-port.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'showrunner-init-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const init = (...args: string[]) =>
  spawnSync(process.execPath, [join(root, 'bin/showrunner.ts'), 'init', '--directory', join(folder, 'none'), ...args], {
    cwd: folder,
    encoding: 'utf8',
  })
const read = (name: string) => readFileSync(join(folder, name), 'utf8')

/** Signs events as a deployment whose key is derived from a secret. */
const signerOf = (secret: string) => {
  const secrets = {
    readStage: async (_id: string, _shape: unknown, at: string) =>
      at === 'AWSCURRENT' ? { value: { secret } as never, createdAt: 0 } : undefined,
  }
  return createCallbackKeys({ secrets, secretId: 'key', clock: realClock })
}
const post = (keys: ReturnType<typeof signerOf>, url: string) =>
  createOwnerCallbacks({
    secrets: { read: async (_id, shape) => shape.parse({ secret: 'of the deployment, with 32 characters' }) as never },
    secretId: 'callbacks',
    keys,
    showSecrets: { resolve: async () => '' },
    clock: realClock,
    fetch,
  }).post({ url }, { id: 'a', event: 'show.ended', at: new Date().toISOString(), showId: 'a-show' })

describe('init', () => {
  it('writes a valid show and ignores what is secret, without a terminal', () => {
    const { status, stdout, stderr } = init()
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout).toContain('npx showrunner run show.json')
    expect(parseShow(JSON.parse(read('show.json')))).toMatchObject({
      show: { name: 'My first show', duration: 30, callback: { url: 'http://127.0.0.1:3000/showrunner' } },
    })
    expect(read('.gitignore')).toBe('.env\n.showrunner/\nnode_modules/\n')
    expect(statSync(join(folder, '.env')).mode & 0o077).toBe(0)
  })

  it('takes an answer from each flag, keeps other files, and overwrites none', () => {
    writeFileSync(join(folder, '.gitignore'), 'dist\n.env')
    const flags = ['--name', 'Launch', '--duration', '90', '--no-live', '--public', '--port', '3100', '--json']
    const { answers, files } = JSON.parse(init(...flags).stdout)
    expect(answers).toEqual({ name: 'Launch', duration: 90, live: false, public: true, port: 3100 })
    expect(readdirSync(folder).sort()).toEqual(files.toSorted())
    const parsed = parseShow(JSON.parse(read('show.json')))
    expect(parsed).toMatchObject({ show: { name: 'Launch', broadcasts: [], publish: { access: 'public' } } })
    expect(read('.gitignore')).toBe('dist\n.env\n.showrunner/\nnode_modules/\n')
    const again = init()
    expect([again.status, again.stdout]).toEqual([1, ''])
    expect(again.stderr).toMatch(/has show\.json and receiver\.mjs and \.env already\. Remove/)
  })

  it('writes a receiver that runs, and verifies events', async () => {
    const port = await freePort()
    expect(init('--port', String(port)).status).toBe(0)
    const modules = join(folder, 'node_modules')
    mkdirSync(modules)
    symlinkSync(join(root, 'node_modules/express'), join(modules, 'express'))
    symlinkSync(root, join(modules, 'showrunner'))
    const keys = signerOf('a secret from which a key pair is derived')
    const api = await listen(async () => Response.json(await keys.published()))
    writeFileSync(
      join(folder, '.env'),
      read('.env').replace('http://127.0.0.1:4400', api.url).replace('http://127.0.0.1:4400', api.url),
    )
    const receiver = spawn(process.execPath, ['--env-file=.env', 'receiver.mjs'], { cwd: folder })
    const closed = once(receiver, 'close')
    let printed = ''
    receiver.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
    try {
      await expect.poll(() => printed).toContain('Waiting for events')
      const url = `http://127.0.0.1:${port}/showrunner`
      const answers = [
        await post(keys, url),
        await post(keys, url),
        await post(signerOf('another secret, of 32 or more characters'), url),
      ]
      expect(answers.map(({ status }) => status)).toEqual([204, 204, 403])
      await expect.poll(() => printed).toBe(`Waiting for events at ${url}\nshow.ended a-show\n`)
    } finally {
      receiver.kill()
      await closed
      await api.close()
    }
  })
})
