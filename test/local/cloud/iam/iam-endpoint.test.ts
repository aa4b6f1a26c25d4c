import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge'
import {
  type AccessKey,
  CreateAccessKeyCommand,
  DeleteAccessKeyCommand,
  GetUserCommand,
  IAMClient,
  ListAccessKeysCommand,
  type StatusType,
  UpdateAccessKeyCommand,
} from '@aws-sdk/client-iam'
import { HeadBucketCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../small-assembly.ts'
import { connectTo, createSmallCloud, refusal, type SmallCloud, START } from '../small-cloud.ts'

const template = {
  Resources: {
    Media: { Type: 'AWS::S3::Bucket' },
    Uploader: { Type: 'AWS::IAM::User' },
    Other: { Type: 'AWS::IAM::User', Properties: { UserName: 'other' } },
    Key: { Type: 'AWS::IAM::AccessKey', Properties: { UserName: { Ref: 'Uploader' } } },
    Upload: {
      Type: 'AWS::SecretsManager::Secret',
      Properties: {
        Name: 'upload',
        SecretString: { 'Fn::Sub': ['${Key} ${Secret}', { Secret: { 'Fn::GetAtt': ['Key', 'SecretAccessKey'] } }] },
      },
    },
  },
  Outputs: { User: { Value: { Ref: 'Uploader' } }, Arn: { Value: { 'Fn::GetAtt': ['Uploader', 'Arn'] } } },
}

let count = 0
/** Counts for all clouds of this file: those of one directory must not generate the same keys. */
const randomHex = (digits: number) => (++count).toString(16).padStart(digits, '0')

const open = (directory?: string) => createSmallCloud(template, {}, { randomHex, ...(directory && { directory }) })

const UserName = 'small-uploader'

function iamOf(small: SmallCloud) {
  const client = small.connect(IAMClient)
  return {
    create: async (more: object = {}) =>
      (await client.send(new CreateAccessKeyCommand({ UserName, ...more }))).AccessKey as AccessKey,
    list: async (more: object = {}) =>
      (await client.send(new ListAccessKeysCommand({ UserName, ...more }))).AccessKeyMetadata ?? [],
    update: (AccessKeyId: string | undefined, Status: string) =>
      client.send(new UpdateAccessKeyCommand({ UserName, AccessKeyId, Status: Status as StatusType })),
    remove: (AccessKeyId: string | undefined) => client.send(new DeleteAccessKeyCommand({ UserName, AccessKeyId })),
    client,
  }
}

/** A client of S3 that signs with a key. */
const s3With = ({ cloud, clock }: SmallCloud, key: Pick<AccessKey, 'AccessKeyId' | 'SecretAccessKey'>) => {
  const credentials = { accessKeyId: key.AccessKeyId ?? '', secretAccessKey: key.SecretAccessKey ?? '' }
  return connectTo({ aws: cloud.aws, credentials }, clock, S3Client)
}
const look = (client: S3Client) => client.send(new ListObjectsV2Command({ Bucket: 'small-media' }))

async function keyOfTemplate(small: SmallCloud) {
  const client = small.connect(SecretsManagerClient)
  const { SecretString = '' } = await client.send(new GetSecretValueCommand({ SecretId: 'upload' }))
  const [AccessKeyId = '', SecretAccessKey = ''] = SecretString.split(' ')
  return { AccessKeyId, SecretAccessKey }
}

describe('createIamEndpoint', () => {
  it('names the users of the template', () => {
    const arn = 'arn:aws:iam::000000000000:user/small-uploader'
    expect(open().cloud.outputs).toEqual({ User: 'small-uploader', Arn: arn })
  })

  it('makes a second key that opens S3 and every other service, beside the template’s', async () => {
    const small = open()
    const { create, list } = iamOf(small)
    const key = await create()
    expect(key).toEqual({
      UserName,
      AccessKeyId: expect.stringMatching(/^AKIA[0-9A-F]{16}$/),
      SecretAccessKey: expect.stringMatching(/^[0-9a-f]{40}$/),
      Status: 'Active',
      CreateDate: new Date(START),
    })
    await look(s3With(small, key))
    await look(s3With(small, await keyOfTemplate(small)))
    const credentials = { accessKeyId: key.AccessKeyId ?? '', secretAccessKey: key.SecretAccessKey ?? '' }
    const events = connectTo({ aws: small.cloud.aws, credentials }, small.clock, EventBridgeClient)
    await events.send(new PutEventsCommand({ Entries: [{ Source: 'a', DetailType: 'b', Detail: '{}' }] }))
    const keys = await list()
    expect(keys.map(({ AccessKeyId }) => AccessKeyId)).toEqual([
      (await keyOfTemplate(small)).AccessKeyId,
      key.AccessKeyId,
    ])
    expect(keys[1]).not.toHaveProperty('SecretAccessKey')
    expect(await list({ UserName: 'other' })).toEqual([])
  })

  it('gives a user two keys at most, also inactive ones, until one is deleted', async () => {
    const { create, update, remove } = iamOf(open())
    const { AccessKeyId } = await create()
    await update(AccessKeyId, 'Inactive')
    await expect(create()).rejects.toMatchObject({
      name: 'LimitExceededException',
      message: 'Cannot exceed quota for AccessKeysPerUser: 2',
    })
    await create({ UserName: 'other' })
    await remove(AccessKeyId)
    await create()
  })

  it('shuts out an inactive key at once, and lets it in again', async () => {
    const small = open()
    const { create, update, list } = iamOf(small)
    const key = await create()
    const s3 = s3With(small, key)
    await look(s3)
    await update(key.AccessKeyId, 'Inactive')
    expect(await refusal(look(s3))).toBe('InvalidAccessKeyId')
    await expect(s3.send(new HeadBucketCommand({ Bucket: 'small-media' }))).rejects.toMatchObject({
      $metadata: { httpStatusCode: 403 },
    })
    expect((await list())[1]?.Status).toBe('Inactive')
    await update(key.AccessKeyId, 'Active')
    await look(s3)
  })

  it('refuses a deleted key at once and permanently, although the template created it', async () => {
    using folder = temporaryFolder()
    const directory = join(folder.path, 'cloud')
    const first = open(directory)
    const { create, remove } = iamOf(first)
    const made = await keyOfTemplate(first)
    const key = await create()
    await remove(made.AccessKeyId)
    expect(await refusal(look(s3With(first, made)))).toBe('InvalidAccessKeyId')
    expect(await refusal(remove(made.AccessKeyId))).toBe('NoSuchEntityException')
    await first.cloud.close()

    const second = open(directory)
    expect(await refusal(look(s3With(second, made)))).toBe('InvalidAccessKeyId')
    await look(s3With(second, key))
    expect(await iamOf(second).list()).toHaveLength(1)
    await second.cloud.close()
  })

  it('takes keys of before there were users for those of the template’s user', async () => {
    using folder = temporaryFolder()
    const directory = join(folder.path, 'cloud')
    mkdirSync(directory)
    const Key = { accessKeyId: 'AKIAOLD', secretAccessKey: 'old' }
    writeFileSync(join(directory, 'access-keys.json'), JSON.stringify({ Key }))
    const small = open(directory)
    expect(await iamOf(small).list()).toMatchObject([{ AccessKeyId: 'AKIAOLD', Status: 'Active' }])
    await look(s3With(small, { AccessKeyId: 'AKIAOLD', SecretAccessKey: 'old' }))
    await small.cloud.close()
  })

  it.each<[string, (iam: ReturnType<typeof iamOf>) => Promise<unknown>, string]>([
    ['another user', ({ create }) => create({ UserName: 'unknown' }), 'NoSuchEntityException'],
    ['no user', ({ create }) => create({ UserName: undefined }), 'NoSuchEntityException'],
    ['another key', ({ remove }) => remove('AKIAOTHER'), 'NoSuchEntityException'],
    ['no key', ({ remove }) => remove(undefined), 'ValidationError'],
    ['another status', ({ update }) => update('AKIAOTHER', 'Expired'), 'ValidationError'],
    ['paging', ({ list }) => list({ MaxItems: 1 }), 'ValidationError'],
    ['another operation', ({ client }) => client.send(new GetUserCommand({ UserName })), 'InvalidAction'],
  ])('refuses %s', async (_what, act, name) => {
    expect(await refusal(act(iamOf(open())))).toBe(name)
  })

  it('says in XML that a signature is wrong', async () => {
    const { cloud, clock } = open()
    const credentials = { ...cloud.credentials, secretAccessKey: 'guessed' }
    const forger = connectTo({ aws: cloud.aws, credentials }, clock, IAMClient)
    expect(await refusal(forger.send(new ListAccessKeysCommand({ UserName })))).toBe('SignatureDoesNotMatch')
  })
})
