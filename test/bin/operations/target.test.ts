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
  const laptop = { ...addresses, ...cloud, token: 'of-laptop', sandboxAccess: { apiKey: '1' }, pid: process.pid }
  await writeFile(localFileOf(directory()), JSON.stringify(laptop))
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
  it('takes a stage by what its deployment has named', async () => {
    expect(await find({ stage: 'prod' })).toEqual({
      kind: 'deployment',
      access: { apiUrl: 'https://prod.example.com', token: 'of-issuer' },
      stage: 'prod',
      outputs: { ApiUrl: 'https://prod.example.com', BucketName: 'b' },
    })
  })

  it('takes an address before what the environment names, and that before the laptop', async () => {
    const environment = { SHOWRUNNER_TOKEN, SHOWRUNNER_URL: 'https://one.example.com' }
    expect(await find({ url: 'https://two.example.com' }, environment)).toMatchObject({
      access: { apiUrl: 'https://two.example.com' },
    })
    expect(await find({}, environment)).toMatchObject({ access: { apiUrl: 'https://one.example.com' } })
    expect(await find({})).toMatchObject({ kind: 'laptop', access: { token: 'of-laptop' } })
  })

  it('never sends the laptop’s token to an address that was named', async () => {
    await expect(find({ url: 'https://two.example.com' }, {})).rejects.toThrow(
      'Set SHOWRUNNER_TOKEN to a token of the issuer',
    )
  })

  it.each([
    ['an address in the clear', { url: 'http://api.example.com' }, 'its address begins with https://'],
    ['what is no address', { url: 'nonsense' }, 'nonsense cannot be the API'],
    ['a stage that was not deployed from here', { stage: 'never' }, 'The stage never was not deployed from this'],
    ['a stage whose outputs are broken', { stage: 'torn' }, 'The outputs of the stage torn cannot be read'],
    ['a stage of another form', { stage: '../local' }, '../local is no stage'],
  ])('refuses %s', async (_, options, sentence) => {
    await expect(find(options)).rejects.toThrow(sentence)
  })

  it('says what can be done where nothing runs', async () => {
    const elsewhere = findTarget({ directory: join(folder, 'elsewhere') }, {})
    await expect(elsewhere).rejects.toThrow('first, or name a deployment by --stage or --url.')
  })
})
