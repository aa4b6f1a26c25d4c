import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  ListSecretVersionIdsCommand,
  PutSecretValueCommand,
  type PutSecretValueCommandInput,
  SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../small-assembly.ts'
import { createSmallCloud, refusal } from '../small-cloud.ts'

const template = {
  Resources: {
    Upload: { Type: 'AWS::SecretsManager::Secret', Properties: { Name: 'upload', SecretString: 'first' } },
    Other: { Type: 'AWS::SecretsManager::Secret', Properties: { Name: 'other' } },
    Deny: { Type: 'AWS::SecretsManager::ResourcePolicy', Properties: { SecretId: { Ref: 'Other' } } },
  },
}
const SecretId = 'upload'
/** Ids of versions are 32 characters and more. */
const idOf = (name: string) => name.repeat(32).slice(0, 32)

function open(directory?: string) {
  const { cloud, connect } = createSmallCloud(template, {}, directory ? { directory } : {})
  const client = connect(SecretsManagerClient)
  const move = (VersionStage: string, to?: string, from?: string) =>
    client.send(
      new UpdateSecretVersionStageCommand({ SecretId, VersionStage, MoveToVersionId: to, RemoveFromVersionId: from }),
    )
  return {
    cloud,
    client,
    move,
    get: async (more: object = {}) =>
      (await client.send(new GetSecretValueCommand({ SecretId, ...more }))).SecretString,
    put: (SecretString: string, name: string, more: Partial<PutSecretValueCommandInput> = {}) =>
      client.send(new PutSecretValueCommand({ SecretId, SecretString, ClientRequestToken: idOf(name), ...more })),
    stages: async () => (await client.send(new DescribeSecretCommand({ SecretId }))).VersionIdsToStages,
  }
}

const PENDING = { VersionStages: ['AWSPENDING'] }

describe('versions of secrets', () => {
  it('keep the previous value beside the current one, by label and by id', async () => {
    const { put, get, stages } = open()
    await put('second', 'b')
    await put('third', 'c')
    expect(await stages()).toEqual({ [idOf('b')]: ['AWSPREVIOUS'], [idOf('c')]: ['AWSCURRENT'] })
    expect(await get()).toBe('third')
    expect(await get({ VersionStage: 'AWSPREVIOUS' })).toBe('second')
    expect(await get({ VersionId: idOf('b') })).toBe('second')
    expect(await get({ VersionId: idOf('c'), VersionStage: 'AWSCURRENT' })).toBe('third')
    expect(await refusal(get({ VersionId: idOf('b'), VersionStage: 'AWSCURRENT' }))).toBe('InvalidRequestException')
  })

  it('take a value that is pending, which is current only once its label is moved', async () => {
    const { put, get, move, stages } = open()
    await put('second', 'b')
    expect(await put('third', 'c', PENDING)).toMatchObject({ VersionStages: ['AWSPENDING'] })
    expect([await get(), await get({ VersionStage: 'AWSPENDING' })]).toEqual(['second', 'third'])
    expect(await refusal(move('AWSCURRENT', idOf('c')))).toBe('InvalidParameterException')
    expect(await refusal(move('AWSCURRENT', idOf('c'), idOf('x')))).toBe('InvalidParameterException')
    await move('AWSCURRENT', idOf('c'), idOf('b'))
    expect(await stages()).toEqual({ [idOf('b')]: ['AWSPREVIOUS'], [idOf('c')]: ['AWSPENDING', 'AWSCURRENT'] })
    await move('AWSPENDING', undefined, idOf('c'))
    expect(await stages()).toEqual({ [idOf('b')]: ['AWSPREVIOUS'], [idOf('c')]: ['AWSCURRENT'] })
  })

  it('may have custom labels', async () => {
    const { put, get, move } = open()
    await put('second', 'b', { VersionStages: ['blue', 'AWSCURRENT'] })
    await put('third', 'c')
    await move('green', idOf('c'))
    expect([await get({ VersionStage: 'blue' }), await get({ VersionStage: 'green' })]).toEqual(['second', 'third'])
    const many = Array.from({ length: 19 }, (_, index) => `label-${index}`)
    expect(await refusal(put('fourth', 'd', { VersionStages: many }))).toBe('LimitExceededException')
  })

  it('are listed, those without a label only when asked for', async () => {
    const { put, client } = open()
    for (const name of ['b', 'c', 'd']) await put(name, name)
    const list = async (more: object = {}) => {
      const { Versions = [] } = await client.send(new ListSecretVersionIdsCommand({ SecretId, ...more }))
      return Versions.map(({ VersionId, VersionStages }) => [VersionId?.slice(0, 1), VersionStages])
    }
    expect(await list()).toEqual([
      ['c', ['AWSPREVIOUS']],
      ['d', ['AWSCURRENT']],
    ])
    expect(await list({ IncludeDeprecated: true })).toContainEqual(['b', undefined])
  })

  it('without a label go when there are more than a hundred', async () => {
    const { put, client, get } = open()
    for (let index = 0; index < 120; index++) await put(`value ${index}`, `${index}-`)
    const IncludeDeprecated = true
    const { Versions } = await client.send(new ListSecretVersionIdsCommand({ SecretId, IncludeDeprecated }))
    expect(Versions).toHaveLength(100)
    expect([await get(), await get({ VersionStage: 'AWSPREVIOUS' })]).toEqual(['value 119', 'value 118'])
  })

  it('refuse labels that lead nowhere', async () => {
    const { move, put, get } = open()
    await put('second', 'b')
    expect(await refusal(move('AWSCURRENT', idOf('x'), idOf('b')))).toBe('ResourceNotFoundException')
    expect(await refusal(move('AWSCURRENT', undefined, idOf('b')))).toBe('InvalidParameterException')
    expect(await refusal(move('AWSPENDING', undefined, idOf('b')))).toBe('InvalidParameterException')
    expect(await refusal(put('third', 'c', { VersionStages: [''] }))).toBe('InvalidParameterException')
    expect(await refusal(get({ VersionStage: 'AWSPENDING' }))).toBe('ResourceNotFoundException')
  })

  it('are kept for the next start, as are secrets of before there were versions', async () => {
    using folder = temporaryFolder()
    const directory = join(folder.path, 'cloud')
    const first = open(directory)
    await first.put('pending', 'b', PENDING)
    await first.cloud.close()
    const second = open(directory)
    expect([await second.get(), await second.get({ VersionStage: 'AWSPENDING' })]).toEqual(['first', 'pending'])
    await second.cloud.close()

    const old = join(folder.path, 'old')
    const arn = 'arn:aws:secretsmanager:us-east-1:000000000000:secret:upload-laptop'
    mkdirSync(old)
    writeFileSync(join(old, 'secrets.json'), JSON.stringify([{ arn, name: 'upload', value: 'old', versionId: 'v' }]))
    const third = open(old)
    expect([await third.get(), await third.stages()]).toEqual(['old', { v: ['AWSCURRENT'] }])
    await third.put('new', 'b')
    expect(await third.get({ VersionStage: 'AWSPREVIOUS' })).toBe('old')
    expect(readFileSync(join(old, 'secrets.json'), 'utf8')).not.toContain('versionId')
    await third.cloud.close()
  })
})
