import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge'
import { HeadBucketCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { XMLParser } from 'fast-xml-parser'
import { describe, expect, it } from 'vitest'
import { send } from '../signed-call.ts'
import { temporaryFolder } from '../small-assembly.ts'
import { connectTo, createSmallCloud, refusal, type SmallCloud } from '../small-cloud.ts'

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
/** Of all clouds here, since those of one directory must not make the same keys again. */
const randomHex = (digits: number) => (++count).toString(16).padStart(digits, '0')

const open = (directory?: string) => createSmallCloud(template, {}, { randomHex, ...(directory && { directory }) })

interface Key {
  UserName: string
  AccessKeyId: string
  Status: string
  SecretAccessKey?: string
  CreateDate: string
}

interface Answer {
  status: number
  /** Of the error. */
  code?: string
  key?: Key
  keys: Key[]
}

/** An operation of IAM, as its SDK would call it. */
async function call(small: SmallCloud, Action: string, input: Record<string, string> = {}): Promise<Answer> {
  const body = new URLSearchParams({ Action, Version: '2010-05-08', UserName: 'small-uploader', ...input }).toString()
  const contentType = 'application/x-www-form-urlencoded'
  const answer = await send(small, { service: 'iam', contentType, body })
  const document = new XMLParser({ parseTagValue: false }).parse(await answer.text())
  const { AccessKey: key, AccessKeyMetadata } = document[`${Action}Response`]?.[`${Action}Result`] ?? {}
  const keys = [AccessKeyMetadata?.member ?? []].flat()
  return { status: answer.status, code: document.ErrorResponse?.Error?.Code, key, keys }
}

/** A client of S3 that signs with a key. */
const s3With = ({ cloud, clock }: SmallCloud, key: Pick<Key, 'AccessKeyId' | 'SecretAccessKey'>) => {
  const credentials = { accessKeyId: key.AccessKeyId, secretAccessKey: key.SecretAccessKey ?? '' }
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
    const { status, key } = await call(small, 'CreateAccessKey')
    expect([status, key]).toEqual([
      200,
      {
        UserName: 'small-uploader',
        AccessKeyId: expect.stringMatching(/^AKIA[0-9A-F]{16}$/),
        SecretAccessKey: expect.stringMatching(/^[0-9a-f]{40}$/),
        Status: 'Active',
        CreateDate: '2026-01-01T00:00:00Z',
      },
    ])
    await look(s3With(small, key as Key))
    await look(s3With(small, await keyOfTemplate(small)))
    const credentials = { accessKeyId: key?.AccessKeyId ?? '', secretAccessKey: key?.SecretAccessKey ?? '' }
    const events = connectTo({ aws: small.cloud.aws, credentials }, small.clock, EventBridgeClient)
    await events.send(new PutEventsCommand({ Entries: [{ Source: 'a', DetailType: 'b', Detail: '{}' }] }))
    const { keys } = await call(small, 'ListAccessKeys')
    expect(keys.map(({ AccessKeyId }) => AccessKeyId)).toEqual([
      (await keyOfTemplate(small)).AccessKeyId,
      key?.AccessKeyId,
    ])
    expect(keys[1]).not.toHaveProperty('SecretAccessKey')
  })

  it('gives a user two keys at most, also inactive ones, until one is deleted', async () => {
    const small = open()
    const { key } = await call(small, 'CreateAccessKey')
    const AccessKeyId = key?.AccessKeyId ?? ''
    await call(small, 'UpdateAccessKey', { AccessKeyId, Status: 'Inactive' })
    expect(await call(small, 'CreateAccessKey')).toMatchObject({ status: 409, code: 'LimitExceeded' })
    expect((await call(small, 'CreateAccessKey', { UserName: 'other' })).status).toBe(200)
    await call(small, 'DeleteAccessKey', { AccessKeyId })
    expect((await call(small, 'CreateAccessKey')).status).toBe(200)
  })

  it('shuts out an inactive key at once, and lets it in again', async () => {
    const small = open()
    const { key } = await call(small, 'CreateAccessKey')
    const s3 = s3With(small, key as Key)
    const AccessKeyId = key?.AccessKeyId ?? ''
    await look(s3)
    await call(small, 'UpdateAccessKey', { AccessKeyId, Status: 'Inactive' })
    expect(await refusal(look(s3))).toBe('InvalidAccessKeyId')
    await expect(s3.send(new HeadBucketCommand({ Bucket: 'small-media' }))).rejects.toMatchObject({
      $metadata: { httpStatusCode: 403 },
    })
    expect((await call(small, 'ListAccessKeys')).keys[1]?.Status).toBe('Inactive')
    await call(small, 'UpdateAccessKey', { AccessKeyId, Status: 'Active' })
    await look(s3)
  })

  it('shuts out a deleted key at once and for good, although the template made it', async () => {
    using folder = temporaryFolder()
    const directory = join(folder.path, 'cloud')
    const first = open(directory)
    const made = await keyOfTemplate(first)
    const { key } = await call(first, 'CreateAccessKey')
    await call(first, 'DeleteAccessKey', { AccessKeyId: made.AccessKeyId })
    expect(await refusal(look(s3With(first, made)))).toBe('InvalidAccessKeyId')
    expect(await call(first, 'DeleteAccessKey', { AccessKeyId: made.AccessKeyId })).toMatchObject({
      status: 404,
      code: 'NoSuchEntity',
    })
    await first.cloud.close()

    const second = open(directory)
    expect(await refusal(look(s3With(second, made)))).toBe('InvalidAccessKeyId')
    await look(s3With(second, key as Key))
    expect((await call(second, 'ListAccessKeys')).keys).toHaveLength(1)
    await second.cloud.close()
  })

  it('takes keys of before there were users for those of the template’s user', async () => {
    using folder = temporaryFolder()
    const directory = join(folder.path, 'cloud')
    mkdirSync(directory)
    const Key = { accessKeyId: 'AKIAOLD', secretAccessKey: 'old' }
    writeFileSync(join(directory, 'access-keys.json'), JSON.stringify({ Key }))
    const small = open(directory)
    expect((await call(small, 'ListAccessKeys')).keys).toMatchObject([{ AccessKeyId: 'AKIAOLD', Status: 'Active' }])
    await look(s3With(small, { AccessKeyId: 'AKIAOLD', SecretAccessKey: 'old' }))
    await small.cloud.close()
  })

  it.each<[string, string, Record<string, string>, number, string]>([
    ['another user', 'CreateAccessKey', { UserName: 'nobody' }, 404, 'NoSuchEntity'],
    ['another key', 'DeleteAccessKey', { AccessKeyId: 'AKIAOTHER' }, 404, 'NoSuchEntity'],
    ['no key', 'DeleteAccessKey', {}, 400, 'ValidationError'],
    ['another status', 'UpdateAccessKey', { AccessKeyId: 'A', Status: 'Expired' }, 400, 'ValidationError'],
    ['paging', 'ListAccessKeys', { MaxItems: '1' }, 400, 'ValidationError'],
    ['another operation', 'GetAccessKeyLastUsed', {}, 400, 'InvalidAction'],
    ['another version', 'ListAccessKeys', { Version: '2009-01-01' }, 400, 'InvalidAction'],
  ])('refuses %s', async (_what, action, input, status, code) => {
    expect(await call(open(), action, input)).toMatchObject({ status, code })
  })

  it('says in XML that a signature is wrong', async () => {
    const small = open()
    const credentials = { ...small.cloud.credentials, secretAccessKey: 'guessed' }
    const forger: SmallCloud = {
      ...small,
      connect: (make) => connectTo({ aws: small.cloud.aws, credentials }, small.clock, make),
    }
    expect(await call(forger, 'ListAccessKeys')).toMatchObject({ status: 403, code: 'InvalidSignatureException' })
  })
})
