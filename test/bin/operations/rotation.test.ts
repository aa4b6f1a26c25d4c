import {
  GetSecretValueCommand,
  SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Rotatable, replace, revoke, rotate, secretOf } from '../../../bin/operations/rotation.ts'
import { createInvokeEndpoint } from '../../../local/cloud/functions/invoke-endpoint.ts'
import { createSecretsManager, type SecretsManager } from '../../../local/cloud/secrets/secrets.ts'
import { type Listening, listen } from '../../../local/cloud/server.ts'

const ROTATOR = 'arn:aws:lambda:us-east-1:000000000000:function:rotate'

interface Step {
  readonly Step: string
  readonly SecretId: string
  readonly ClientRequestToken: string
}

let secrets: SecretsManager
let server: Listening
let arn: string
let steps: string[]
/** Until this resolves, a rotation does not finish. */
let gate: PromiseWithResolvers<void>

const config = () => ({
  endpoint: server.url,
  region: 'us-east-1',
  credentials: { accessKeyId: 'A', secretAccessKey: 'S' },
})

/** The local Secrets Manager, with a function that moves the label in the last step of a rotation. */
beforeEach(async () => {
  let versions = 0
  steps = []
  gate = Promise.withResolvers()
  const invoke = async (_arn: string, event: unknown) => {
    const { Step, SecretId, ClientRequestToken } = event as Step
    steps.push(Step)
    if (Step === 'revoke') return { outcome: 'done', deactivated: [`key-${steps.length}`] }
    if (Step !== 'finishSecret') return undefined
    await gate.promise
    const manager = new SecretsManagerClient(config())
    const move = { VersionStage: 'AWSCURRENT', MoveToVersionId: ClientRequestToken, RemoveFromVersionId: 'v1' }
    await manager.send(new UpdateSecretVersionStageCommand({ SecretId, ...move }))
    manager.destroy()
  }
  secrets = createSecretsManager(undefined, () => `v${++versions}`, { invoke })
  const functions = () => [{ name: 'rotate', arn: ROTATOR }]
  const lambda = createInvokeEndpoint({ functions, invoke, invokeLater: () => {} })
  server = await listen((request) => (request.url.endsWith('/invocations') ? lambda(request) : secrets.fetch(request)))
  arn = secrets.create('upload', () => '{}')
})
afterEach(async () => {
  gate.resolve()
  await secrets.settled()
  secrets.close()
  await server.close()
})

const start = () =>
  secrets.startRotations([
    { secretArn: arn, functionArn: ROTATOR, rules: { AutomaticallyAfterDays: 30 }, rotatesOnChange: false },
  ])
const rotateUpload = (what: Rotatable = 'upload-key', secret = arn) => rotate(what, secret, config())
const never = new AbortController().signal

describe('rotate', () => {
  it('runs the steps, and reports when the new version is current', async () => {
    start()
    const rotation = await rotateUpload()
    expect(rotation.versionId).not.toBe('v1')
    gate.resolve()
    expect(await rotation.finished(10, never)).toBe(true)
    expect(steps).toEqual(['createSecret', 'setSecret', 'testSecret', 'finishSecret'])
  })

  it('stores a new callback key beside the present one, without a function', async () => {
    const secretId = secrets.create('callback-key', () => '{"secret":"first"}')
    await replace('callback-key', secretId, config())
    const manager = new SecretsManagerClient(config())
    const read = async (VersionStage: string) =>
      JSON.parse(
        (await manager.send(new GetSecretValueCommand({ SecretId: secretId, VersionStage }))).SecretString ?? '',
      ).secret
    expect(await read('AWSPREVIOUS')).toBe('first')
    expect(await read('AWSCURRENT')).toMatch(/^[\w-]{64}$/)
    manager.destroy()
  })

  it('reports that it is not done in time', async () => {
    start()
    expect(await (await rotateUpload()).finished(0, never)).toBe(false)
  })

  it('refuses while another rotation is in progress', async () => {
    start()
    await rotateUpload()
    await expect(rotateUpload()).rejects.toThrow(
      'A rotation of the upload-key is in progress and continues automatically',
    )
  })

  it('names the setting that enables the rotation', async () => {
    await expect(rotateUpload('project-secret')).rejects.toThrow(
      'does not rotate its project-secret. Set rotation.projectSecretDays and deploy it again.',
    )
  })

  it('reports that there is no such secret', async () => {
    await expect(rotateUpload('upload-key', 'arn:none')).rejects.toThrow(
      'There is no such secret. Check that it is the upload-key',
    )
  })
})

describe('secretOf', () => {
  it('returns the ARN of the outputs, and reports a missing one', () => {
    expect(secretOf('project-secret', { ProjectSecretArn: 'arn:project' })).toBe('arn:project')
    expect(() => secretOf('upload-key', {})).toThrow('The outputs of the stack have no UploadKeySecretArn')
  })
})

describe('revoke', () => {
  const within = (seconds: number) => ({ seconds, signal: never })

  it('makes room, replaces the key and deactivates the former one', async () => {
    start()
    gate.resolve()
    expect(await revoke(arn, config(), within(10))).toMatchObject({ deactivated: ['key-1', 'key-6'] })
    expect(steps).toEqual(['revoke', 'createSecret', 'setSecret', 'testSecret', 'finishSecret', 'revoke'])
  })

  it('reports that the former key is still active when the rotation takes too long', async () => {
    start()
    await expect(revoke(arn, config(), within(0))).rejects.toThrow('so the former one is still active')
  })

  it('refuses a secret without a rotation', async () => {
    await expect(revoke(arn, config(), within(0))).rejects.toThrow('Set rotation.uploadKeyDays and deploy it again')
  })
})
