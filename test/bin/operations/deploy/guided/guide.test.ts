import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SFNClient } from '@aws-sdk/client-sfn'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type GuideOptions, guideSettings } from '../../../../../bin/operations/deploy/guided/guide.ts'
import { type Listening, listen } from '../../../../../local/cloud/server.ts'
import { packZip } from '../../../../lib/media/zip/packed.ts'

const LAYER = 'arn:aws:lambda:eu-west-1:111122223333:layer:ffmpeg:1'
const answers = ['prod', 'eu-west-1', 'https://platform.corp', '', '123']

let folder: string
let path: string
let aws: Listening
let asked: { readonly call: string; readonly body: Readonly<Record<string, unknown>> }[]
/** The call that AWS refuses. */
let refused: string | undefined

const ANSWERS: Readonly<Record<string, object>> = {
  '/2018-10-31/layers/ffmpeg/versions': { LayerVersionArn: LAYER },
  CreateUserPool: { UserPool: { Id: 'eu-west-1_abc' } },
  CreateUserPoolClient: { UserPoolClient: { ClientId: 'client', ClientSecret: 'confidential' } },
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'showrunner-test-'))
  path = join(folder, 'settings.json')
  asked = []
  refused = undefined
  aws = await listen(async (request) => {
    const target = request.headers.get('x-amz-target')
    const call = target?.split('.')[1] ?? new URL(request.url).pathname
    asked.push({ call, body: (await request.json()) as Record<string, unknown> })
    if (call === refused) return Response.json({ message: 'You may not.' }, { status: 400 })
    return Response.json(ANSWERS[call] ?? {})
  })
})
afterEach(async () => {
  await aws.close()
  await rm(folder, { recursive: true })
})

async function guide(typed: readonly string[], options: Partial<GuideOptions> = {}) {
  const left = [...typed]
  const lines: string[] = []
  const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' }
  const settings = await guideSettings({
    ...{ path, defaults: {}, report: (line: string) => lines.push(line) },
    inTerminal: (act) => act(async () => left.shift() ?? ''),
    credentialsProblem: async () => undefined,
    connect: (region) => new SFNClient({ region, endpoint: aws.url, credentials, maxAttempts: 1 }),
    ...options,
  })
  return { settings, lines }
}

const written = async () => JSON.parse(await readFile(path, 'utf8'))

describe('guideSettings', () => {
  it('writes the settings, and keeps everything else in the file', async () => {
    const former = { app: 'node bin/app.ts', context: { other: 1, showrunner: { memory: { most: 5120 } } } }
    await writeFile(path, JSON.stringify(former))
    const { settings } = await guide([...answers, 'https://issuer.corp', 'api', LAYER])
    expect(settings).toMatchObject({ stage: 'prod', ffmpegLayer: LAYER, memory: { most: 5120 } })
    expect(await written()).toEqual({ ...former, context: { other: 1, showrunner: settings } })
    expect(asked).toEqual([])
    expect(await readdir(folder)).toEqual(['settings.json'])
  })

  it('creates a user pool and publishes a layer, and writes no secret', async () => {
    const zip = join(folder, 'ffmpeg.zip')
    await writeFile(zip, packZip([{ name: 'bin/ffmpeg', bytes: 'program' }]))
    const { lines } = await guide([...answers, 'cognito', zip])
    expect((await written()).context.showrunner).toMatchObject({
      identity: { issuer: 'https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_abc', audience: 'client' },
      ffmpegLayer: LAYER,
    })
    expect(asked.map(({ call }) => call)).toEqual([
      '/2018-10-31/layers/ffmpeg/versions',
      ...['CreateUserPool', 'CreateUserPoolDomain', 'CreateResourceServer', 'CreateUserPoolClient'],
    ])
    expect(asked[0]?.body).toMatchObject({ CompatibleArchitectures: ['x86_64'] })
    const scopes = asked[3]?.body.Scopes as { ScopeName: string }[]
    expect(scopes.map(({ ScopeName }) => ScopeName)).toEqual(['viewer', 'operator', 'admin'])
    expect(lines.join()).toContain('describe-user-pool-client --region eu-west-1 --user-pool-id eu-west-1_abc ')
    expect(lines.join() + (await readFile(path, 'utf8'))).not.toContain('confidential')
  })

  it.each(['CreateUserPoolDomain', 'CreateUserPoolClient'])('deletes the pool after a refused %s', async (call) => {
    refused = call
    const guided = guide([...answers, 'cognito', LAYER])
    await expect(guided).rejects.toThrow('The user pool was not created: You may not. The settings file is unchanged.')
    expect(asked.slice(-2).map(({ call }) => call)).toEqual(['DeleteUserPoolDomain', 'DeleteUserPool'])
    expect(await readdir(folder)).toEqual([])
  })

  it('keeps a layer that was published before the user pool was refused', async () => {
    const zip = join(folder, 'ffmpeg.zip')
    await writeFile(zip, packZip([{ name: 'bin/ffmpeg', bytes: 'program' }]))
    refused = 'CreateUserPool'
    const sentence = `The user pool was not created: You may not. The layer is in ${path}: start the guide again`
    await expect(guide([...answers, 'cognito', zip])).rejects.toThrow(sentence)
    expect((await written()).context.showrunner).toMatchObject({ stage: 'prod', ffmpegLayer: LAYER })
    expect(await readFile(path, 'utf8')).not.toContain('cognito')
    asked = []
    refused = undefined
    await guide(['', '', '', '', '', 'cognito'])
    expect(asked[0]?.call).toBe('CreateUserPool')
    expect((await written()).context.showrunner).toMatchObject({ ffmpegLayer: LAYER, identity: { audience: 'client' } })
  })

  it('creates nothing in China, where AWS has other addresses', async () => {
    const typed = ['prod', 'cn-north-1', ...answers.slice(2)]
    await expect(guide([...typed, 'cognito', LAYER])).rejects.toThrow('no layers or user pools in China (cn-north-1).')
    expect(asked).toEqual([])
    const { settings } = await guide([...typed, 'https://issuer.corp', 'api', LAYER])
    expect(settings.region).toBe('cn-north-1')
  })

  it('asks AWS for nothing without credentials', async () => {
    const credentialsProblem = async () => 'none'
    const sentence = 'No AWS credentials were found (none). Log in as for the AWS CLI. Nothing was written.'
    await expect(guide([...answers, 'cognito', LAYER], { credentialsProblem })).rejects.toThrow(sentence)
    expect(asked).toEqual([])
  })

  it.each([
    ['a missing file', undefined, 'cannot be read'],
    ['no zip', Buffer.from('text'), 'is not a zip file'],
    ['a zip without ffmpeg', packZip([{ name: 'ffmpeg', bytes: 'x' }]), 'has no bin/ffmpeg. Keep this path in the zip'],
  ])('refuses %s before anything is made', async (_, bytes, sentence) => {
    const zip = join(folder, 'ffmpeg.zip')
    if (bytes) await writeFile(zip, bytes)
    await expect(guide([...answers, 'cognito', zip])).rejects.toThrow(sentence)
    expect(asked).toEqual([])
  })

  it('refuses a file that is not a settings file, and leaves it', async () => {
    await writeFile(path, '[]')
    await expect(guide([])).rejects.toThrow('settings.json cannot be read (it is not an object).')
    expect(await readFile(path, 'utf8')).toBe('[]')
  })
})
