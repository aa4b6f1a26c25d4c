import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  CreateSecretCommand,
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../small-assembly.ts'
import { createSmallCloud, refusal } from '../small-cloud.ts'

const template = {
  Resources: {
    Project: { Type: 'AWS::SecretsManager::Secret', Properties: { GenerateSecretString: {} } },
    Uploader: { Type: 'AWS::IAM::User' },
    Key: { Type: 'AWS::IAM::AccessKey', Properties: { UserName: { Ref: 'Uploader' } } },
    Plain: {
      Type: 'AWS::SecretsManager::Secret',
      Properties: { Name: 'shows/plain', GenerateSecretString: { PasswordLength: 64, ExcludePunctuation: true } },
    },
    Webhook: {
      Type: 'AWS::SecretsManager::Secret',
      Properties: {
        Name: 'shows/webhook',
        GenerateSecretString: {
          SecretStringTemplate: { 'Fn::Join': ['', ['{"region":"', { Ref: 'AWS::Region' }, '"}']] },
          GenerateStringKey: 'key',
        },
      },
    },
    Upload: {
      Type: 'AWS::SecretsManager::Secret',
      Properties: {
        Name: 'upload',
        SecretString: { 'Fn::Join': [' ', [{ Ref: 'Key' }, { 'Fn::GetAtt': ['Key', 'SecretAccessKey'] }]] },
      },
    },
  },
  Outputs: { Project: { Value: { Ref: 'Project' } } },
}

function openSecrets(directory?: string) {
  const { cloud, connect } = createSmallCloud(template, {}, directory ? { directory } : {})
  const client = connect(SecretsManagerClient)
  const get = (SecretId: string, more = {}) => client.send(new GetSecretValueCommand({ SecretId, ...more }))
  const put = (SecretId: string, SecretString: string, more = {}) =>
    client.send(new PutSecretValueCommand({ SecretId, SecretString, ...more }))
  return { cloud, client, get, put, project: cloud.outputs.Project ?? '' }
}

describe('createSecrets', () => {
  it('makes secrets of the template, generated and given ones', async () => {
    const { get, project } = openSecrets()
    expect(project).toBe('arn:aws:secretsmanager:us-east-1:000000000000:secret:small-project-laptop')
    const generated = await get(project)
    expect(generated).toMatchObject({ ARN: project, Name: 'small-project', VersionStages: ['AWSCURRENT'] })
    expect(generated.SecretString).toMatch(/^[!-~]{32}$/)
    for (const kind of [/[a-z]/, /[A-Z]/, /[0-9]/, /[^a-zA-Z0-9]/]) expect(generated.SecretString).toMatch(kind)
    expect((await get('upload')).SecretString).toMatch(/^AKIA[0-9A-F]{16} [0-9a-f]{40}$/)
  })

  it('makes secrets as their options say', async () => {
    const { get } = openSecrets()
    expect((await get('shows/plain')).SecretString).toMatch(/^[a-zA-Z0-9]{64}$/)
    const webhook = JSON.parse((await get('shows/webhook')).SecretString ?? '')
    expect(webhook).toEqual({ region: 'us-east-1', key: expect.stringMatching(/^[!-~]{32}$/) })
  })

  it('takes a new value, by name or ARN, and gives it out as the current one', async () => {
    const { client, get, put, project } = openSecrets()
    const { VersionId } = await put('small-project', 'new')
    expect(await get(project)).toMatchObject({ SecretString: 'new', VersionId })
    expect(await get(project, { VersionStage: 'AWSCURRENT', VersionId })).toMatchObject({ SecretString: 'new' })
    const described = await client.send(new DescribeSecretCommand({ SecretId: project }))
    expect(described).toMatchObject({
      Name: 'small-project',
      VersionIdsToStages: { [VersionId ?? '']: ['AWSCURRENT'] },
    })
  })

  it('takes the same value under the same token twice, and no other', async () => {
    const { put } = openSecrets()
    const ClientRequestToken = '0b0d8bd2-7e4f-4c36-9d2c-1f2a3b4c5d6e'
    expect(await put('upload', 'new', { ClientRequestToken })).toMatchObject({ VersionId: ClientRequestToken })
    expect(await put('upload', 'new', { ClientRequestToken })).toMatchObject({ VersionId: ClientRequestToken })
    expect(await refusal(put('upload', 'other', { ClientRequestToken }))).toBe('ResourceExistsException')
  })

  it('makes another secret once, under a name that is free', async () => {
    const { client, get } = openSecrets()
    const ClientRequestToken = '0b0d8bd2-7e4f-4c36-9d2c-1f2a3b4c5d6e'
    const create = (Name: string, SecretString: string) =>
      client.send(new CreateSecretCommand({ Name, SecretString, ClientRequestToken }))
    const made = await create('shows/stream', 'x')
    expect(made).toMatchObject({ Name: 'shows/stream', VersionId: ClientRequestToken })
    expect(await get(made.ARN ?? '')).toMatchObject({ Name: 'shows/stream', SecretString: 'x' })
    expect((await create('shows/stream', 'x')).ARN).toBe(made.ARN) // its answer was lost
    expect(await refusal(create('shows/stream', 'y'))).toBe('ResourceExistsException')
    expect(await refusal(create('upload', 'x'))).toBe('ResourceExistsException')
    expect(await refusal(create('no#name', 'x'))).toBe('InvalidParameterException')
    expect(await refusal(create('shows/empty', ''))).toBe('InvalidParameterException')
  })

  it('refuses what is not there, and what it would have to pass over', async () => {
    const { get, put } = openSecrets()
    expect(await refusal(get('gone'))).toBe('ResourceNotFoundException')
    expect(await refusal(put('gone', 'x'))).toBe('ResourceNotFoundException')
    expect(await refusal(get('upload', { VersionStage: 'AWSPENDING' }))).toBe('ResourceNotFoundException')
    expect(await refusal(get('upload', { VersionId: 'x'.repeat(32) }))).toBe('ResourceNotFoundException')
    expect(await refusal(put('upload', 'x', { RotationToken: 'x'.repeat(36) }))).toBe('ValidationException')
    expect(await refusal(put('upload', 'x'.repeat(65_537)))).toBe('InvalidParameterException')
  })

  it('keeps values and keys for the next start, in files for their owner alone', async () => {
    using folder = temporaryFolder()
    const directory = join(folder.path, 'cloud')
    const first = openSecrets(directory)
    const upload = (await first.get('upload')).SecretString
    await first.put(first.project, 'by hand')
    await first.cloud.close()

    const second = openSecrets(directory)
    expect((await second.get(second.project)).SecretString).toBe('by hand')
    expect((await second.get('upload')).SecretString).toBe(upload)
    expect(second.cloud.credentials).toEqual(first.cloud.credentials)
    await second.cloud.close()

    const files = readdirSync(directory).filter((name) => name.endsWith('.json'))
    expect(files.sort()).toEqual(['access-keys.json', 'secrets.json'])
    expect(files.map((name) => statSync(join(directory, name)).mode & 0o777)).toEqual([0o600, 0o600])
    expect(readFileSync(join(directory, 'secrets.json'), 'utf8')).not.toContain(first.cloud.credentials.secretAccessKey)
  })

  it('says which file it cannot read', () => {
    using folder = temporaryFolder()
    writeFileSync(join(folder.path, 'secrets.json'), '[{')
    expect(() => openSecrets(folder.path)).toThrow('secrets.json in the folder of the cloud cannot be read as JSON')
  })
})
