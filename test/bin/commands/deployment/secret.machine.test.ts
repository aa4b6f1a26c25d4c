import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AwsAccess } from '../../../../bin/local/aws-access.ts'
import { localFileOf } from '../../../../bin/local/local-file.ts'
import { createSecretsManager } from '../../../../local/cloud/secrets/secrets.ts'
import { type Listening, listen } from '../../../../local/cloud/server.ts'
import { startProgram } from '../../../support/program.ts'

let folder: string
let server: Listening
let manager: SecretsManagerClient

/** A local system with nothing but Secrets Manager. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'showrunner-test-'))
  let versions = 0
  const secrets = createSecretsManager(undefined, () => `version-${++versions}`)
  secrets.create('prefix/broken', () => 'SECRET-WORD')
  server = await listen((request) =>
    request.headers.has('x-amz-target') ? secrets.fetch(request) : Promise.resolve(new Response('the console')),
  )
  const credentials = { accessKeyId: 'A', secretAccessKey: 'S' }
  const awsAccess: AwsAccess = { endpoint: server.url, region: 'us-east-1', credentials }
  manager = new SecretsManagerClient(awsAccess)
  const addresses = { apiUrl: server.url, sandboxUrl: server.url, consoleUrl: server.url }
  const access = {
    token: 't',
    sandboxAccess: { apiKey: '1' },
    awsAccess,
    controlToken: 'd',
    callbackSecret: 'c',
    outputs: { ShowSecretsPrefix: 'prefix/' },
  }
  await writeFile(localFileOf(join(folder, 'local')), JSON.stringify({ ...addresses, ...access, pid: process.pid }))
})
afterAll(async () => {
  manager.destroy()
  await server.close()
  await rm(folder, { recursive: true })
})

const set = (value: string, ...args: string[]) => run(value, 'set', ...args)

async function run(input: string, ...args: string[]) {
  const program = startProgram(['secret', ...args, '--directory', join(folder, 'local')], {}, input)
  const { code, stdout, stderr } = await program.ended
  return [code, `${stdout}${stderr}`] as const
}
const read = async (SecretId: string) =>
  JSON.parse((await manager.send(new GetSecretValueCommand({ SecretId }))).SecretString ?? '')

describe('secretCommand', () => {
  it('stores a value from standard input under its key, beside the other keys', async () => {
    const servers = ['--for', 'rtmps://a.example/', '--for', 'rtmp://b.example/']
    expect(await set('first value\n', 'streams/main', 'key', ...servers)).toEqual([
      0,
      'Stored. A show refers to it as {"secret":"streams/main#key"}.\n',
    ])
    expect((await set('p4ss', 'streams/main', 'spare', '--for', 'sips:c.example'))[0]).toBe(0)
    const asJson = await set('another', 'streams/main', 'key', '--json')
    expect([asJson[0], JSON.parse(asJson[1])]).toEqual([0, { secret: 'streams/main#key' }])
    expect(await read('prefix/streams/main')).toEqual({
      key: 'another',
      'key.for': ['rtmps://a.example/', 'rtmp://b.example/'],
      spare: 'p4ss',
      'spare.for': ['sips:c.example'],
    })
    expect(await run('', 'bind', 'streams/main', 'spare', 'sips:d.example', 'sip:e.example')).toEqual([
      0,
      'streams/main#spare is sent to sips:d.example and sip:e.example only.\n',
    ])
    expect(await read('prefix/streams/main')).toMatchObject({
      spare: 'p4ss',
      'spare.for': ['sips:d.example', 'sip:e.example'],
    })
  })

  it('refuses to bind a missing value', async () => {
    const [code, output] = await run('', 'bind', 'streams/other', 'key', 'sips:d.example')
    expect([code, output]).toEqual([1, expect.stringContaining('There is no value streams/other#key yet')])
  })

  it.each([
    ['a name outside the prefix', ['../other', 'key'], 'x', '../other#key must not leave the prefix for shows.'],
    ['a name with a space', ['a b', 'key'], 'x', 'The name a b cannot be used. It must have 1 to 200 letters,'],
    ['a key with a space', ['name', 'a b'], 'x', 'The key a b cannot be used. It must have 1 to 100 letters,'],
    ['an empty value', ['name', 'key'], '\n', 'The value is empty. Pass it on standard input.'],
    ['a value without servers', ['fresh', 'key'], 'x', 'fresh#key has no servers to which it may be sent.'],
    [
      'a text that is not a server',
      ['name', 'key', '--for', 'a.example'],
      'x',
      'a.example must be a server such as rtmps://',
    ],
    ['a secret of another form', ['broken', 'key'], 'x', 'The secret prefix/broken is not a JSON object'],
  ])('refuses %s in one sentence', async (_what, args, value, sentence) => {
    const [code, output] = await set(value, ...args)
    expect(code).toBe(1)
    expect(output).toContain(sentence)
    expect(output).not.toContain('SECRET-WORD')
  })
})
