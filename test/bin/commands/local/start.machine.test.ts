import { readdirSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { localFileOf } from '../../../../bin/local/local-file.ts'
import { type Listening, listen } from '../../../../local/cloud/server.ts'
import { startProgram } from '../../../support/program.ts'
import { FREE_PORTS } from '../../../support/ready-program.ts'

let folder: string
let page: Listening

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'showrunner-test-'))
  page = await listen(async () => new Response('the console'))
})
afterAll(async () => {
  await page.close()
  await rm(folder, { recursive: true })
})

describe('startCommand', () => {
  it.each(['-1', '65536', 'http'])('refuses %j as a port', async (port) => {
    const { code, stderr } = await startProgram(['start', `--port=${port}`]).ended
    expect([code, stderr]).toEqual([1, expect.stringContaining('It must be a whole number from 0 to 65535.')])
  })

  it.each(['--port', '--api-port', '--sandbox-port', '--join-port'])(
    'reports that the port of %s is in use before it makes anything',
    async (option) => {
      const directory = join(folder, 'new')
      const { port } = new URL(page.url)
      const args = ['start', ...FREE_PORTS, `${option}=${port}`, '--directory', directory]
      const { code, stdout, stderr } = await startProgram(args).ended
      const sentence = `Port ${port} on 127.0.0.1 is in use: stop what listens there or choose another.\n`
      expect([code, stdout, stderr]).toEqual([1, '', sentence])
      expect(readdirSync(folder).filter((name) => name.startsWith('new'))).toEqual([])
    },
  )

  it('refuses to start where it is already running', async () => {
    const directory = join(folder, 'local')
    await writeFile(localFileOf(directory), JSON.stringify({ consoleUrl: page.url, pid: process.pid }))
    const { code, stdout, stderr } = await startProgram(['start', '--directory', directory]).ended
    const sentence = `Showrunner is already running at ${page.url} (process ${process.pid}). Use that one, or stop it first.\n`
    expect([code, stdout, stderr]).toEqual([1, '', sentence])
  })
})
