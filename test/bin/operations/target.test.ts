import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { localFileOf } from '../../../bin/local/local-file.ts'
import { findTarget } from '../../../bin/operations/target.ts'
import { type Listening, listen } from '../../../local/cloud/server.ts'

let folder: string
let page: Listening

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'showrunner-test-'))
  page = await listen(async () => new Response('the console'))
  const addresses = { apiUrl: 'http://127.0.0.1:1', sandboxUrl: 'http://127.0.0.1:2', consoleUrl: page.url }
  const cloud = {
    awsAccess: { endpoint: page.url },
    controlToken: 'd',
    callbackSecret: 'c',
    outputs: { ShowSecretsPrefix: 'p/' },
  }
  const local = { ...addresses, ...cloud, token: 'of-local', sandboxAccess: { apiKey: '1' }, pid: process.pid }
  await writeFile(localFileOf(directory()), JSON.stringify(local))
  await mkdir(join(folder, 'deployments'))
  const outputs = { 'Showrunner-prod': { ApiUrl: 'https://prod.example.com', BucketName: 'b' } }
  await writeFile(join(folder, 'deployments/prod.json'), JSON.stringify(outputs))
  await writeFile(join(folder, 'deployments/torn.json'), '{ "Showrunner-torn": {')
})
afterEach(async () => {
  await page.close()
  await rm(folder, { recursive: true })
})

const directory = () => join(folder, 'local')
const SHOWRUNNER_TOKEN = 'of-issuer'
const find = (options: { url?: string; stage?: string }, environment: NodeJS.ProcessEnv = { SHOWRUNNER_TOKEN }) =>
  findTarget({ directory: directory(), ...options }, environment, join(folder, 'deployments'))

describe('findTarget', () => {
  it('finds a stage by the outputs of its deployment', async () => {
    expect(await find({ stage: 'prod' })).toEqual({
      kind: 'deployment',
      access: { apiUrl: 'https://prod.example.com', token: 'of-issuer' },
      stage: 'prod',
      outputs: { ApiUrl: 'https://prod.example.com', BucketName: 'b' },
    })
  })

  it('prefers an address to the environment, and that to the local system', async () => {
    const environment = { SHOWRUNNER_TOKEN, SHOWRUNNER_URL: 'https://one.example.com' }
    expect(await find({ url: 'https://two.example.com' }, environment)).toMatchObject({
      access: { apiUrl: 'https://two.example.com' },
    })
    expect(await find({}, environment)).toMatchObject({ access: { apiUrl: 'https://one.example.com' } })
    expect(await find({})).toMatchObject({ kind: 'local', access: { token: 'of-local' } })
  })

  it('recognizes the local system by its address in the environment, as `env` prints it', async () => {
    const named = { SHOWRUNNER_URL: 'http://127.0.0.1:1/' }
    expect(await find({}, named)).toMatchObject({ kind: 'local', access: { token: 'of-local' } })
    expect(await find({}, { ...named, SHOWRUNNER_TOKEN })).toMatchObject({
      kind: 'local',
      access: { token: 'of-issuer' },
    })
    const other = { SHOWRUNNER_URL: 'http://127.0.0.1:2', SHOWRUNNER_TOKEN }
    expect(await find({}, other)).toMatchObject({ kind: 'deployment' })
  })

  it('never sends the local token to a named address', async () => {
    await expect(find({ url: 'https://two.example.com' }, {})).rejects.toThrow(
      'Set SHOWRUNNER_TOKEN to a token of its issuer',
    )
  })

  it.each([
    ['an address without encryption', { url: 'http://api.example.com' }, 'which starts with https://'],
    ['a text that is not an address', { url: 'nonsense' }, 'nonsense is not an address of the API'],
    ['a stage that was not deployed from here', { stage: 'never' }, 'The stage never was not deployed from this'],
    ['a stage whose outputs are broken', { stage: 'torn' }, 'The outputs of the stage torn cannot be read'],
    ['an invalid stage', { stage: '../local' }, '../local is not a stage'],
  ])('refuses %s', async (_, options, sentence) => {
    await expect(find(options)).rejects.toThrow(sentence)
  })

  it('names the options when nothing runs', async () => {
    const elsewhere = findTarget({ directory: join(folder, 'elsewhere') }, {})
    await expect(elsewhere).rejects.toThrow('first, or name a deployment with --stage or --url.')
  })
})
