import { spawn } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { describeRequest } from '../../../../bin/commands/local/sandbox.ts'
import { root } from '../../../../bin/local/root.ts'
import { AUTH_HEADER } from '../../../../lib/platform/contract/tokens.ts'
import { type Program, startProgram } from '../../../support/program.ts'

let program: Program
let ready: Readonly<Record<string, string>>

beforeAll(async () => {
  program = startProgram([
    'sandbox',
    '--json',
    '--clock',
    'stepped',
    '--auth-header',
    'X-ONE',
    '--auth-header',
    'X-TWO',
  ])
  ready = await new Promise((resolve, reject) => {
    program.child.stdout?.once('data', (line: string) => resolve(JSON.parse(line)))
    void program.ended.then(({ stderr }) => reject(new Error(stderr)))
  })
})
afterAll(async () => {
  program.child.kill('SIGTERM')
  await program.ended
})

describe('sandboxCommand', () => {
  it('prints its addresses and credentials in one line of JSON', () => {
    const { url, insightsUrl, ...credentials } = ready
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(insightsUrl?.startsWith(url ?? '')).toBe(true)
    const { controlToken, ...keys } = credentials
    expect(Object.keys(keys)).toEqual(['apiKey', 'apiSecret', 'accountKey', 'accountSecret'])
    for (const value of Object.values(keys)) expect(value).toMatch(/^[0-9a-f]+$/)
    expect(controlToken).toMatch(/^[\w-]{43}$/)
  })

  it('advances its clock only with POST /sandbox/clock', async () => {
    const clock = `${ready.url}/sandbox/clock`
    const headers = { authorization: `Bearer ${ready.controlToken}` }
    expect((await fetch(clock)).status).toBe(401)
    const { now } = (await (await fetch(clock, { headers })).json()) as { now: number }
    const moved = await fetch(clock, { method: 'POST', headers, body: '{"advanceSeconds":3600}' })
    expect(await moved.json()).toEqual({ now: now + 3_600_000 })
  })

  it('accepts the token in the configured headers', async () => {
    const message = async (header: string) => {
      const response = await fetch(`${ready.url}/v2/project`, { headers: { [header]: 'ey.ey.ey' } })
      return ((await response.json()) as { message: string }).message
    }
    for (const header of ['x-one', 'x-two']) expect(await message(header)).toBe('The token is not a JSON Web Token.')
    expect(await message('x-service-auth')).toBe('The token is missing: send it in X-ONE or X-TWO.')
  })

  it('logs each request on one line, without paths of this machine or secrets', async () => {
    await fetch(`${ready.url}/session/create`, { method: 'POST', headers: { 'x-one': '123456:a secret' } })
    await program.says(/403 {2}POST {3}createSession .* ms {2}[0-9a-f-]{36}\n/)
    program.child.kill('SIGTERM')
    const { code, stderr } = await program.ended
    expect(code).toBe(0)
    expect(
      stderr
        .trim()
        .split('\n')
        .every((line) => /^\d\d:\d\d:\d\d\.\d{3} {2}\d{3} {2}[A-Z]+ +\w+ +\d+ ms /.test(line)),
    ).toBe(true)
    for (const word of ['a secret', ready.apiSecret, ready.accountSecret, ready.controlToken, process.cwd()])
      expect(stderr).not.toContain(word)
  })

  it('runs without the add-on of Insights and the control token if configured', async () => {
    const lacking = startProgram(['sandbox', '--json', '--no-advanced-insights', '--open-control'])
    const [line] = await lacking.says(/^{.*}\n/)
    const { url, insightsUrl, apiKey, apiSecret, ...rest } = JSON.parse(line)
    expect([rest.controlToken, (await fetch(`${url}/sandbox/clock`)).status]).toEqual([undefined, 200])
    const iat = Math.floor(Date.now() / 1000)
    const token = await new SignJWT({ iss: apiKey, ist: 'project', iat, exp: iat + 60 })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode(apiSecret))
    const query = `{ project(projectId: ${apiKey}) { sessionData { sessions(sessionIds: ["a"]) { resources { sessionId } } } } }`
    const headers = { [AUTH_HEADER]: token, 'content-type': 'application/json' }
    const response = await fetch(`${insightsUrl}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) })
    expect(await response.json()).toMatchObject({ errors: [{ errorCode: 1014 }] })
    lacking.child.kill('SIGTERM')
    await lacking.ended
  })

  it.each([
    ['a signal to npm only', (npm: number) => process.kill(npm, 'SIGTERM')],
    ['Ctrl-C, which npm and the terminal both forward', (npm: number) => process.kill(-npm, 'SIGINT')],
  ])('closes what it opened at %s', async (_, interrupt) => {
    const directory = await mkdtemp(join(tmpdir(), 'showrunner-npm-'))
    const npm = spawn('npm', ['run', '-s', 'sandbox', '--', '--json'], {
      cwd: root,
      env: { ...process.env, TMPDIR: directory },
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true, // a separate process group, as in a terminal
    })
    const ended = new Promise((resolve) => npm.once('close', resolve))
    onTestFinished(async () => {
      if (npm.exitCode === null && npm.signalCode === null) process.kill(-(npm.pid ?? 0), 'SIGKILL')
      await rm(directory, { recursive: true })
    })
    const { url } = await new Promise<{ url: string }>((resolve) =>
      npm.stdout.once('data', (line: Buffer) => resolve(JSON.parse(String(line)))),
    )
    const opened = async () => (await readdir(directory)).filter((name) => name.startsWith('showrunner-sandbox-'))
    expect(await opened()).toHaveLength(1)
    interrupt(npm.pid ?? 0)
    await ended
    expect(await opened()).toEqual([])
    await expect(fetch(url)).rejects.toThrow('fetch failed')
  })

  it.each([
    [['--clock', 'broken'], 'Allowed choices are real, stepped.'],
    [['--clock', 'stepped', '--composers', 'chromium'], '--composers chromium is not possible: the clock is stepped.'],
    [['--address', '0.0.0.0'], 'It must be the IPv4 address of one interface, such as 192.168.1.20.'],
    [['--address', '192.0.2.1'], 'This machine does not have the address 192.0.2.1: choose one that it has.'],
    [['--address', '192.0.2.1', '--open-control'], '--open-control serves this machine only'],
    [['--port', '65536'], 'It must be a whole number from 0 to 65535.'],
  ])('refuses %j', async (options, sentence) => {
    const { code, stderr } = await startProgram(['sandbox', ...options]).ended
    expect([code, stderr]).toEqual([1, expect.stringContaining(sentence)])
  })
})

describe('describeRequest', () => {
  it('formats the time and status of a request, or the fault that cut it', () => {
    const line = { requestId: 'r-1', method: 'POST', operation: 'startArchive', status: 200, ms: 12 } as const
    const now = Date.UTC(2026, 10, 20, 9)
    expect(describeRequest(line, now)).toBe('09:00:00.000  200  POST   startArchive            12 ms  r-1')
    expect(describeRequest({ ...line, status: 0, fault: 'dropAfter' }, now)).toBe(
      '09:00:00.000  cut  POST   startArchive            12 ms  r-1  fault dropAfter',
    )
    expect(describeRequest({ ...line, status: 500, error: 'TypeError' }, now)).toMatch(/ {2}500 .* r-1 {2}TypeError$/)
  })
})
