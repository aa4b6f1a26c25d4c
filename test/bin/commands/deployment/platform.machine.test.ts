import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { platformCommand } from '../../../../bin/commands/deployment/platform.ts'
import { localFileOf } from '../../../../bin/local/local-file.ts'
import { realClock } from '../../../../lib/clock.ts'
import { operations } from '../../../../lib/platform/contract/operations/operations.ts'
import {
  ACCOUNT,
  API_KEY,
  API_SECRET,
  INSIGHTS_PATH,
  send,
  startPlatformServer,
} from '../../../lib/platform/client/platform-server.ts'
import { startProgram } from '../../../support/program.ts'

let folder: string
let server: Awaited<ReturnType<typeof startPlatformServer>>
let environment: NodeJS.ProcessEnv

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'showrunner-test-'))
  server = await startPlatformServer(realClock)
  const addresses = { apiUrl: server.url, sandboxUrl: server.url, consoleUrl: server.url }
  const sandboxAccess = {
    insightsUrl: `${server.url}${INSIGHTS_PATH}`,
    apiKey: API_KEY,
    apiSecret: API_SECRET,
    accountKey: ACCOUNT.key,
    accountSecret: ACCOUNT.secret,
  }
  const cloud = {
    awsAccess: { endpoint: server.url },
    controlToken: 'd',
    callbackSecret: 'c',
    outputs: { ShowSecretsPrefix: 'shows/' },
  }
  const laptop = { ...addresses, token: 't', sandboxAccess, ...cloud, pid: process.pid }
  await writeFile(localFileOf(join(folder, 'local')), JSON.stringify(laptop))
  environment = {
    PLATFORM_URL: server.url,
    PLATFORM_INSIGHTS_URL: `${server.url}${INSIGHTS_PATH}`,
    PLATFORM_API_KEY: API_KEY,
    PLATFORM_API_SECRET: API_SECRET,
    PLATFORM_ACCOUNT_KEY: ACCOUNT.key,
    PLATFORM_ACCOUNT_SECRET: ACCOUNT.secret,
  }
})
beforeEach(() => {
  server.received.length = 0
  server.complaints.length = 0
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

const run = async (args: readonly string[], variables = environment) =>
  startProgram(['platform', ...args], variables).ended

describe('platformCommand', () => {
  it('has one command for every operation, under its name', () => {
    expect(platformCommand().commands.map((command) => command.name())).toEqual(Object.keys(operations))
  })

  it('calls the operation and prints its answer as JSON', async () => {
    const { request, response } = operations.startArchive.example
    const options = ['--session-id', request.sessionId, '--layout.type', 'pip', '--has-audio', 'false']
    const { code, stdout, stderr } = await run(['startArchive', ...options, '--json'])
    expect([code, stderr]).toEqual([0, ''])
    // The client shows keys as text, whichever type a platform sends.
    const keys = { projectId: String(response.projectId), partnerId: String(response.partnerId) }
    expect(JSON.parse(stdout)).toEqual({ ...response, ...keys })
    expect(JSON.parse(server.received[0]?.body ?? '')).toMatchObject({ layout: { type: 'pip' }, hasAudio: false })
    expect(server.complaints).toEqual([])
  })

  it('prints a list as text, and Done for an answer without a body', async () => {
    const { response } = operations.listArchives.example
    const { stdout } = await run(['listArchives'])
    expect(stdout).toMatch(/^1 of 1\n\nid +b40ef09b-/)
    expect(stdout).toMatch(new RegExp(`^createdAt +${response.items[0].createdAt} \\(2026-11-20T`, 'm'))
    expect((await run(['deleteUploadTarget'])).stdout).toBe('Done.\n')
    expect((await run(['deleteUploadTarget', '--json'])).stdout).toBe('null\n')
  })

  it('takes a whole body from a file and single fields from options', async () => {
    const file = join(folder, 'target.json')
    await writeFile(file, JSON.stringify(operations.setUploadTarget.example.request))
    await run(['setUploadTarget', '--body', file, '--config.bucket', 'other', '--json'])
    expect(JSON.parse(server.received[0]?.body ?? '')).toMatchObject({
      type: 's3',
      config: { secretKey: '<secret>', bucket: 'other' },
    })
  })

  it.each(['listArchives', 'listProjects', 'queryInsights'])(
    'sends %s to the running sandbox if no platform is named',
    async (name) => {
      const nothing = Object.fromEntries(Object.keys(environment).map((variable) => [variable, '']))
      const more = name === 'queryInsights' ? ['--query', '{ project(projectId: 1) { __typename } }'] : []
      const { code } = await run([name, ...more, '--directory', join(folder, 'local')], nothing)
      expect(code).toBe(0)
      expect(server.received.map(({ operation }) => operation)).toEqual([undefined, name]) // first whether it is there
    },
  )

  it('prints the secrets of an answer only with --show-secrets', async () => {
    const refresh = ['refreshSecret', '--api-key', API_KEY, '--json']
    server.faults.push(send(200, { ...operations.refreshSecret.example.response, secret: 'hidden-secret' }))
    const { stdout, stderr } = await run(refresh)
    expect(JSON.parse(stdout)).toMatchObject({ id: API_KEY, secret: '[hidden]' })
    expect(stderr).toContain('--show-secrets')
    server.faults.push(send(200, { ...operations.refreshSecret.example.response, secret: 'shown-secret' }))
    expect(JSON.parse((await run([...refresh, '--show-secrets'])).stdout).secret).toBe('shown-secret')
  })

  it('fails with the platform’s message', async () => {
    server.faults.push(send(409, { code: 409, message: 'It is not being recorded.' }))
    const { code, stdout, stderr } = await run(['stopArchive', '--archive-id', 'a'])
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^stopArchive \(POST \S+\) was answered 409 \(It is not being recorded\); read .*\.\n$/)
  })

  it.each([
    ['a missing argument', ['stopArchive'], /^stopArchive needs --archive-id: .*\n$/],
    ['a missing field', ['startArchive', '--name', 'x'], /^startArchive needs --session-id: .*\n$/],
    ['no number', ['listArchives', '--count', 'many'], /^--count must be a number: correct it\.\n$/],
    ['no boolean', ['startArchive', '--has-audio', 'yes'], /^--has-audio must be true or false: correct it\.\n$/],
    [
      'what the contract refuses',
      ['listArchives', '--count', '1001'],
      /^listArchives was not sent: argument count: .*\n$/,
    ],
    [
      'no JSON',
      ['startBroadcast', '--outputs.rtmp', '{"streamName":"CONFIDENTIAL"'],
      /^--outputs\.rtmp must be JSON: .*\n$/,
    ],
    [
      'a body that is not an object',
      ['startArchive', '--body', '["CONFIDENTIAL"]'],
      /^--body must be a JSON object, but .*\n$/,
    ],
    ['a missing file', ['startArchive', '--body', 'none.json'], /^--body names the file none\.json, .*\n$/],
    [
      'an unknown option',
      ['startArchive', '--tag', 'x'],
      /^error: unknown option '--tag'\n\(--help lists commands and options\)\n$/,
    ],
    ['an unknown operation', ['startArchives'], /^error: unknown command 'startArchives'/],
  ])('refuses %s', async (_, args, sentence) => {
    const { code, stdout, stderr } = await run(args)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(sentence)
    expect(stderr).not.toMatch(/confidential/i)
    expect(server.received).toEqual([])
  })

  it('names the missing connection options', async () => {
    const nothing = Object.fromEntries(Object.keys(environment).map((name) => [name, '']))
    const elsewhere = ['--directory', join(folder, 'elsewhere')]
    expect((await run(['listArchives', ...elsewhere], nothing)).stderr).toBe(
      'No platform is named. Showrunner is not running. Start it with `npm start` first, or set PLATFORM_URL.\n',
    )
    expect((await run(['listProjects', '--platform-url', server.url], nothing)).stderr).toBe(
      'listProjects needs the account’s key and the account’s secret: ' +
        'set PLATFORM_ACCOUNT_KEY and PLATFORM_ACCOUNT_SECRET, or pass the options that --help lists.\n',
    )
  })

  it('prints limits, defaults, errors and an example of an operation', async () => {
    const { code, stdout } = await run(['startBroadcast', '--help'])
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /--max-duration <number> +Seconds after which the broadcast stops; +60 to 36000;\s+default 14400/,
    )
    expect(stdout).toContain('stops 60 seconds after the last client left')
    expect(stdout).toMatch(/409 {2}Session not routed/)
    expect(stdout).toMatch(/npm run showrunner -- platform startBroadcast .* --outputs\.hls --json/)
  })
})
