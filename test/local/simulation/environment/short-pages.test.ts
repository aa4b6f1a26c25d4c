import { ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { beforeAll, describe, expect, it } from 'vitest'
import { awsClientConfig, readSdkFiles } from '../../../../local/simulation/environment/services.ts'
import { withShortPages } from '../../../../local/simulation/environment/short-pages.ts'

beforeAll(readSdkFiles)

const xml = (keys: string[]) =>
  `<?xml version="1.0"?><ListBucketResult><KeyCount>${keys.length}</KeyCount><IsTruncated>false</IsTruncated>${keys
    .map((key) => `<Contents><Key>${key}</Key></Contents>`)
    .join('')}</ListBucketResult>`

/** A bucket with three entries, which answers listings with those after `start-after`. */
async function bucket(request: Request): Promise<Response> {
  const after = new URL(request.url).searchParams.get('start-after') ?? ''
  const keys = ['a', 'b', 'c'].map((id) => `index/unfinished/${id}`).filter((key) => key > after)
  return new Response(request.method === 'PUT' ? null : xml(keys), { headers: { 'content-type': 'application/xml' } })
}

const open = (size: number | undefined) =>
  new S3Client(awsClientConfig(withShortPages(bucket, size), { accessKeyId: 'id', secretAccessKey: 'secret' }))
const list = async (client: S3Client, Prefix: string, StartAfter?: string) => {
  const answer = await client.send(new ListObjectsV2Command({ Bucket: 'b', Prefix, ...(StartAfter && { StartAfter }) }))
  return [answer.Contents?.map(({ Key = '' }) => Key.at(-1)).join(''), answer.IsTruncated]
}

describe('withShortPages', () => {
  it('returns short pages of an index, and reports whether more follow', async () => {
    const client = open(2)
    expect(await list(client, 'index/unfinished/')).toEqual(['ab', true])
    expect(await list(client, 'index/unfinished/', 'index/unfinished/b')).toEqual(['c', false])
  })

  it('changes no other answer', async () => {
    expect(await list(open(2), 'shows/')).toEqual(['abc', false])
    expect(await list(open(undefined), 'index/unfinished/')).toEqual(['abc', false])
    await expect(open(1).send(new PutObjectCommand({ Bucket: 'b', Key: 'k', Body: '' }))).resolves.toBeDefined()
  })
})
