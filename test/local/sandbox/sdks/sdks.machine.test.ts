import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { realClock } from '../../../../lib/clock.ts'
import { createMediaOff } from '../../../../local/sandbox/media/media-off.ts'
import { type SandboxServer, startSandbox } from '../../../../local/sandbox/server.ts'

const run = promisify(execFile)
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))

let server: SandboxServer
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sdks-'))
  server = await startSandbox({ media: createMediaOff(realClock), authHeaders: ['X-OPENTOK-AUTH'] })
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

/** Arguments of a driver: the sandbox's URL, its credentials, and the control token. */
const access = () => [server.url, server.apiKey, server.apiSecret, String(server.controlToken)]

describe('official server SDKs, unmodified', { timeout: 600_000 }, () => {
  it('of Python: opentok 3.15.0 makes every call', async () => {
    const venv = join(folder, 'venv')
    await run('python3', ['-m', 'venv', venv])
    await run(join(venv, 'bin/pip'), ['install', '--quiet', 'opentok==3.15.0'])
    const { stdout } = await run(join(venv, 'bin/python'), [here('drive.py'), ...access()])
    const calls = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { call: string; error?: string })
    expect(calls.filter(({ error }) => error)).toEqual([])
    expect(calls.length).toBe(34)
  })

  it('of Java: opentok-server-sdk 4.9.0, which makes T1 tokens, makes every call', async () => {
    const dependency =
      '<groupId>com.tokbox</groupId><artifactId>opentok-server-sdk</artifactId><version>4.9.0</version>'
    const project = `<modelVersion>4.0.0</modelVersion><groupId>x</groupId><artifactId>x</artifactId><version>1</version>
      <dependencies><dependency>${dependency}</dependency></dependencies>`
    await writeFile(join(folder, 'pom.xml'), `<project>${project}</project>`)
    await run('mvn', ['-q', '-B', 'dependency:copy-dependencies', '-DoutputDirectory=jars'], { cwd: folder })
    const jars = join(folder, 'jars', '*')
    await run('javac', ['-cp', jars, '-d', folder, here('drive.java')])
    const { stdout } = await run('java', ['-cp', `${folder}:${jars}`, 'Drive', ...access()])
    const calls = stdout
      .trim()
      .split('\n')
      .map((line) => line.split('\t'))
    expect(calls.filter(([, outcome]) => outcome !== 'ok')).toEqual([])
    expect(calls.length).toBe(25)
    expect(calls.find(([name]) => name === 'generateToken')?.[2]).toBe('T1==')
  })
})
