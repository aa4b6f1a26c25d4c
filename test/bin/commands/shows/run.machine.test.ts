import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { participantsFor } from '../../../../bin/commands/shows/run.ts'
import { localFileOf } from '../../../../bin/local/local-file.ts'
import { type Listening, listen } from '../../../../local/cloud/server.ts'
import { startProgram } from '../../../support/program.ts'

let folder: string
let server: Listening

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'showrunner-test-'))
  await writeFile(join(folder, 'show.json'), '{ "version": 1 }')
  await writeFile(join(folder, 'broken.json'), '{ "version": 1')
  const refusal = {
    detail: 'The show is not valid; see problems.',
    problems: [{ path: 'name', message: 'is missing' }],
  }
  server = await listen(async ({ method }) =>
    method === 'POST' ? Response.json(refusal, { status: 400 }) : new Response('the console'),
  )
  const addresses = { apiUrl: server.url, sandboxUrl: server.url, consoleUrl: server.url }
  const access = {
    token: 't',
    sandboxAccess: { apiKey: '100001', apiSecret: 's' },
    awsAccess: { endpoint: server.url },
    controlToken: 'd',
    callbackSecret: 'c',
    outputs: { ShowSecretsPrefix: 'p/' },
  }
  const local = JSON.stringify({ ...addresses, ...access, pid: process.pid })
  await writeFile(localFileOf(join(folder, 'local')), local)
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

/** Returns the exit code and both outputs. */
async function run(file: string, ...options: string[]) {
  const { code, stdout, stderr } = await startProgram(['run', join(folder, file), ...options]).ended
  return [code, `${stdout}${stderr}`] as const
}
const here = () => ['--directory', join(folder, 'local')]

describe('runCommand', () => {
  it.each([
    ['a file that is not there', 'none.json', /^\S+none\.json cannot be read: it does not exist\.\n$/],
    ['a file that is not JSON', 'broken.json', /^\S+broken\.json is not JSON: .+\n$/],
    ['a show that the API refuses', 'show.json', /^The show is not valid:\n {2}name is missing\n$/],
  ])('reports %s', async (_, file, sentence) => {
    const [code, output] = await run(file, ...here())
    expect([code, output]).toEqual([1, expect.stringMatching(sentence)])
  })

  it('reports how to start when Showrunner is not running', async () => {
    const [code, output] = await run('show.json', '--directory', join(folder, 'elsewhere'))
    expect([code, output]).toEqual([
      1,
      'Showrunner is not running. Start it with `npm start` first, or name a deployment with --stage or --url.\n',
    ])
  })

  it.each(['-1', '51', ''])('refuses %j participants', async (count) => {
    const [code, output] = await run('show.json', ...here(), `--participants=${count}`)
    expect([code, output]).toEqual([1, expect.stringContaining('It must be a whole number from 0 to 50.')])
  })
})

describe('participantsFor', () => {
  it('gives every participant a different name', () => {
    expect(participantsFor(0)).toEqual([])
    expect(participantsFor(2)).toEqual([{ name: 'Ada' }, { name: 'Grace' }])
    expect(new Set(participantsFor(50).map(({ name }) => name)).size).toBe(50)
  })
})
