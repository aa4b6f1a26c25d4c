import {
  CreateBucketCommand,
  DeleteBucketCommand,
  GetObjectAclCommand,
  GetObjectCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BUCKET as Bucket, type Endpoint, inMemory, refusal, sign } from '../endpoints.ts'

describe('operationFor', () => {
  let endpoint: Endpoint
  beforeAll(async () => {
    endpoint = await inMemory()
    await endpoint.client.send(new PutObjectCommand({ Bucket, Key: 'x', Body: 'x' }))
  })
  afterAll(() => endpoint.close())

  const put = { Bucket, Key: 'x', Body: 'x' }
  const refused: [string, (client: S3Client) => Promise<unknown>][] = [
    ['CreateBucket', (client) => client.send(new CreateBucketCommand({ Bucket: 'other' }))],
    ['DeleteBucket', (client) => client.send(new DeleteBucketCommand({ Bucket }))],
    [
      'PutBucketVersioning',
      (client) =>
        client.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: 'Enabled' } })),
    ],
    ['GetObjectAcl', (client) => client.send(new GetObjectAclCommand({ Bucket, Key: 'x' }))],
    [
      'GetObject with the query parameter partNumber',
      (client) => client.send(new GetObjectCommand({ Bucket, Key: 'x', PartNumber: 1 })),
    ],
    [
      'PutObject with the header x-amz-object-lock-mode',
      (client) => client.send(new PutObjectCommand({ ...put, ObjectLockMode: 'GOVERNANCE' })),
    ],
    [
      'x-amz-server-side-encryption: aws:kms',
      (client) => client.send(new PutObjectCommand({ ...put, ServerSideEncryption: 'aws:kms' })),
    ],
    [
      'x-amz-storage-class: GLACIER',
      (client) => client.send(new PutObjectCommand({ ...put, StorageClass: 'GLACIER' })),
    ],
  ]

  it.each(refused)('refuses %s by name', async (name, act) => {
    const refused = await refusal(act(endpoint.client))
    expect(refused).toMatchObject({ name: 'NotImplemented', status: 501 })
    expect(refused.message).toContain(name)
  })

  it('refuses access control lists other than the one that changes nothing', async () => {
    await endpoint.client.send(new PutObjectCommand({ ...put, ACL: 'bucket-owner-full-control' }))
    const open = endpoint.client.send(new PutObjectCommand({ ...put, ACL: 'public-read' }))
    expect(await refusal(open)).toMatchObject({ name: 'AccessControlListNotSupported', status: 400 })
  })

  it('answers with an error document that names code, resource and request', async () => {
    const response = await endpoint.send(await sign(endpoint, { method: 'GET', path: `/${Bucket}/no%26pe` }))
    expect(response.headers.get('content-type')).toBe('application/xml')
    const id = response.headers.get('x-amz-request-id')
    expect(await response.text()).toBe(
      `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>NoSuchKey</Code><Message>The specified key does not exist.</Message><Resource>/media/no%26pe</Resource><Key>no&#38;pe</Key><RequestId>${id}</RequestId></Error>`,
    )
  })

  it('refuses documents that are no XML, or other XML', async () => {
    const tag = async (body: string) => {
      const headers = { 'content-length': String(body.length) }
      const request = { method: 'PUT', path: `/${Bucket}/x`, query: { tagging: '' }, headers, body }
      return (await endpoint.send(await sign(endpoint, request))).status
    }
    expect(await tag('<Tagging><TagSet/></Tagging>')).toBe(200)
    expect(await tag('<Tagging><TagSet></Tagging>')).toBe(400)
    expect(await tag('<Other/>')).toBe(400)
    expect(await tag('<!DOCTYPE Tagging [<!ENTITY a "b">]><Tagging><TagSet/></Tagging>')).toBe(400)
  })
})
