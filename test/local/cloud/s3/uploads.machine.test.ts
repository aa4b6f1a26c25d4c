import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListPartsCommand,
  PutObjectCommand,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BACKENDS, BUCKET, type Endpoint, pattern, refusal } from './endpoints.ts'

const MIB = 1024 * 1024

describe.each(BACKENDS)('multipart uploads %s', (_name, open) => {
  let endpoint: Endpoint
  beforeAll(async () => {
    endpoint = await open()
  })
  afterAll(() => endpoint.close())

  const first = pattern(5 * MIB, 1)
  const second = pattern(MIB + 3, 2)
  const whole = Buffer.concat([first, second])

  const create = async (Key: string, more: object = {}) => {
    const { UploadId } = await endpoint.client.send(new CreateMultipartUploadCommand({ Bucket: BUCKET, Key, ...more }))
    return { Bucket: BUCKET, Key, UploadId }
  }
  type At = Awaited<ReturnType<typeof create>>
  const part = async (at: At, PartNumber: number, Body: Uint8Array, more: object = {}): Promise<CompletedPart> => {
    const { $metadata, ...sums } = await endpoint.client.send(
      new UploadPartCommand({ ...at, PartNumber, Body, ...more }),
    )
    return { PartNumber, ...sums }
  }
  const complete = (at: At, Parts: CompletedPart[], more: object = {}) =>
    endpoint.client.send(new CompleteMultipartUploadCommand({ ...at, MultipartUpload: { Parts }, ...more }))
  const head = (Key: string) =>
    endpoint.client.send(new HeadObjectCommand({ Bucket: BUCKET, Key, ChecksumMode: 'ENABLED' }))
  const bytes = async (Key: string, more: object = {}) => {
    const { Body } = await endpoint.client.send(new GetObjectCommand({ Bucket: BUCKET, Key, ...more }))
    return Buffer.from((await Body?.transformToByteArray()) ?? [])
  }

  it('joins its parts, in the order of their numbers', async () => {
    const at = await create('joined', { ContentType: 'video/mp4', Metadata: { a: 'b' }, Tagging: 'x=y' })
    const late = await part(at, 7, second)
    const early = await part(at, 2, first)
    await complete(at, [early, late])
    expect((await bytes('joined')).equals(whole)).toBe(true)
    expect(await head('joined')).toMatchObject({ ContentType: 'video/mp4', Metadata: { a: 'b' }, TagCount: 1 })
    const across = await bytes('joined', { Range: `bytes=${5 * MIB - 4}-${5 * MIB + 3}` })
    expect(across.equals(whole.subarray(5 * MIB - 4, 5 * MIB + 4))).toBe(true)
  })

  it('names multipart objects by their bytes: by an MD5 where no checksum distinguishes them', async () => {
    const joined = async (Key: string, all: Uint8Array[], more: (data: Uint8Array) => object = () => ({})) => {
      const at = await create(Key)
      const parts = all.map((data, index) => part(at, index + 1, data, more(data)))
      return (await complete(at, await Promise.all(parts))).ETag
    }
    const md5 = (data: Uint8Array) => createHash('md5').update(data).digest()
    const combined = createHash('md5').update(md5(first)).update(md5(second)).digest('hex')
    const byMd5 = (data: Uint8Array) => ({ ContentMD5: md5(data).toString('base64') })
    expect(await joined('by-md5', [first, second], byMd5)).toBe(`"${combined}-2"`)

    const other = Buffer.from(second).fill(0, 0, 1)
    const tags = [[first, second], [first, second], [first, other], [first]].map((all, n) => joined(`etag-${n}`, all))
    const [one, same, changed, shorter] = await Promise.all(tags)
    expect(one).toMatch(/^"[0-9a-f]{32}-2"$/)
    expect(same).toBe(one)
    expect(new Set([one, changed, shorter]).size).toBe(3)
  })

  it('takes no notice of parts that are not named, and the last of those sent twice', async () => {
    const at = await create('chosen')
    await part(at, 1, pattern(5 * MIB, 9))
    const kept = await part(at, 1, first)
    await part(at, 2, second)
    await complete(at, [kept])
    expect((await bytes('chosen')).equals(first)).toBe(true)
    expect(await refusal(complete(at, [kept]))).toMatchObject({ name: 'NoSuchUpload', status: 404 })
  })

  it.each(['CRC32', 'CRC32C', 'CRC64NVME'] as const)(
    'gives the %s of the whole from those of the parts',
    async (ChecksumAlgorithm) => {
      const member = `Checksum${ChecksumAlgorithm}` as const
      const at = await create('full', { ChecksumAlgorithm, ChecksumType: 'FULL_OBJECT' })
      const parts = [await part(at, 1, first, { ChecksumAlgorithm }), await part(at, 2, second, { ChecksumAlgorithm })]
      const completed = await complete(at, parts, { ChecksumType: 'FULL_OBJECT', MpuObjectSize: whole.length })
      const put = new PutObjectCommand({ Bucket: BUCKET, Key: 'direct', Body: whole, ChecksumAlgorithm })
      expect(completed).toMatchObject({
        [member]: (await endpoint.client.send(put))[member],
        ChecksumType: 'FULL_OBJECT',
      })
      expect((await bytes('full', { ChecksumMode: 'ENABLED' })).equals(whole)).toBe(true)
      const again = await create('full', { ChecksumAlgorithm, ChecksumType: 'FULL_OBJECT' })
      const wrong = complete(again, [await part(again, 1, first, { ChecksumAlgorithm })], {
        [member]: completed[member],
      })
      expect(await refusal(wrong)).toMatchObject({ name: 'BadDigest' })
    },
  )

  it('makes a composite checksum, and insists on those of the parts', async () => {
    const at = await create('composite', { ChecksumAlgorithm: 'SHA256' })
    const parts = [
      await part(at, 1, first, { ChecksumAlgorithm: 'SHA256' }),
      await part(at, 2, second, { ChecksumAlgorithm: 'SHA256' }),
    ]
    const bare = parts.map(({ PartNumber, ETag }) => ({ PartNumber, ETag }))
    expect((await refusal(complete(at, bare))).message).toContain('It was missing for part 1')
    expect((await refusal(part(at, 3, second))).message).toContain('Checksum Type mismatch')
    const sha256 = (data: Uint8Array) => createHash('sha256').update(data)
    const combined = sha256(Buffer.concat([sha256(first).digest(), sha256(second).digest()])).digest('base64')
    const completed = await complete(at, parts)
    expect(completed).toMatchObject({ ChecksumSHA256: `${combined}-2`, ChecksumType: 'COMPOSITE' })
    expect((await bytes('composite', { ChecksumMode: 'ENABLED' })).equals(whole)).toBe(true)
  })

  it('refuses parts that are too small, missing, changed or out of order', async () => {
    const at = await create('refused')
    const small = await part(at, 1, second)
    const other = await part(at, 2, second)
    expect(await refusal(complete(at, [small, other]))).toMatchObject({ name: 'EntityTooSmall', status: 400 })
    expect(await refusal(complete(at, [other, small]))).toMatchObject({ name: 'InvalidPartOrder' })
    expect(await refusal(complete(at, [{ ...small, PartNumber: 3 }]))).toMatchObject({ name: 'InvalidPart' })
    expect(await refusal(complete(at, [{ ...small, ETag: '"0"' }]))).toMatchObject({ name: 'InvalidPart' })
    expect(await refusal(complete(at, [small], { MpuObjectSize: 1 }))).toMatchObject({ name: 'InvalidRequest' })
    expect(await refusal(complete(at, []))).toMatchObject({ name: 'MalformedXML' })
    expect(await refusal(part(at, 10_001, second))).toMatchObject({ name: 'InvalidArgument' })
    await complete(at, [small])
  })

  it('completes under conditions', async () => {
    const at = await create('once')
    const only = await part(at, 1, second)
    await endpoint.client.send(new PutObjectCommand({ Bucket: BUCKET, Key: 'once', Body: 'there first' }))
    const denied = complete(at, [only], { IfNoneMatch: '*' })
    expect(await refusal(denied)).toMatchObject({ name: 'PreconditionFailed', status: 412 })
    await complete(at, [only])
    expect((await bytes('once')).equals(second)).toBe(true)
  })

  it('copies whole objects and ranges of them into parts', async () => {
    await endpoint.client.send(new PutObjectCommand({ Bucket: BUCKET, Key: 'source ü', Body: whole }))
    const at = await create('assembled', { ChecksumAlgorithm: 'CRC32' })
    const copy = async (PartNumber: number, CopySourceRange?: string): Promise<CompletedPart> => {
      const CopySource = `${BUCKET}/source%20%C3%BC`
      const command = new UploadPartCopyCommand({
        ...at,
        PartNumber,
        CopySource,
        ...(CopySourceRange ? { CopySourceRange } : {}),
      })
      const { CopyPartResult } = await endpoint.client.send(command)
      return { PartNumber, ETag: CopyPartResult?.ETag, ChecksumCRC32: CopyPartResult?.ChecksumCRC32 }
    }
    const tail = `bytes=${whole.length - 5}-${whole.length - 1}`
    const parts = [await copy(1), await copy(2, `bytes=1-${5 * MIB}`), await copy(3, tail)]
    const crc = Buffer.alloc(4)
    crc.writeUInt32BE(crc32(whole))
    expect(parts[0]?.ChecksumCRC32).toBe(crc.toString('base64'))
    expect((await copy(1)).ETag).toBe(parts[0]?.ETag)
    expect(new Set(parts.map(({ ETag }) => ETag)).size).toBe(3)
    expect(await refusal(copy(4, `bytes=0-${whole.length}`))).toMatchObject({ name: 'InvalidArgument' })
    await complete(at, parts)
    // The new object has to outlive what it was made from.
    await endpoint.client.send(new DeleteObjectCommand({ Bucket: BUCKET, Key: 'source ü' }))
    const expected = Buffer.concat([whole, whole.subarray(1, 5 * MIB + 1), whole.subarray(-5)])
    expect((await bytes('assembled')).equals(expected)).toBe(true)
    const middle = await bytes('assembled', { Range: `bytes=${whole.length - 3}-${whole.length + 2}` })
    expect(middle.equals(expected.subarray(whole.length - 3, whole.length + 3))).toBe(true)
  })

  it('copies a multipart object as one with its own MD5', async () => {
    const at = await create('in-parts')
    await complete(at, [await part(at, 1, first), await part(at, 2, second)])
    const command = new CopyObjectCommand({ Bucket: BUCKET, Key: 'in-one', CopySource: `${BUCKET}/in-parts` })
    const { CopyObjectResult } = await endpoint.client.send(command)
    expect(CopyObjectResult?.ETag).toBe(`"${createHash('md5').update(whole).digest('hex')}"`)
    expect((await bytes('in-one', { ChecksumMode: 'ENABLED' })).equals(whole)).toBe(true)
  })

  it('lists parts page by page', async () => {
    const at = await create('listed', { ChecksumAlgorithm: 'CRC32C' })
    for (const number of [3, 1, 9]) await part(at, number, second, { ChecksumAlgorithm: 'CRC32C' })
    const page = await endpoint.client.send(new ListPartsCommand({ ...at, MaxParts: 2 }))
    expect(page).toMatchObject({ IsTruncated: true, NextPartNumberMarker: '3', ChecksumAlgorithm: 'CRC32C' })
    expect(page.Parts?.map(({ PartNumber }) => PartNumber)).toEqual([1, 3])
    const PartNumberMarker = page.NextPartNumberMarker
    const rest = await endpoint.client.send(new ListPartsCommand({ ...at, PartNumberMarker }))
    expect(rest.IsTruncated).toBe(false)
    expect(rest.Parts).toMatchObject([{ PartNumber: 9, Size: second.length, ChecksumCRC32C: expect.any(String) }])
  })

  it('forgets an aborted upload', async () => {
    const at = await create('aborted')
    const sent = await part(at, 1, second)
    await endpoint.client.send(new AbortMultipartUploadCommand(at))
    expect(await refusal(complete(at, [sent]))).toMatchObject({ name: 'NoSuchUpload' })
    expect(await refusal(part(at, 2, second))).toMatchObject({ name: 'NoSuchUpload' })
    expect(await refusal(endpoint.client.send(new ListPartsCommand(at)))).toMatchObject({ name: 'NoSuchUpload' })
    expect(await refusal(head('aborted'))).toMatchObject({ name: 'NotFound' })
  })

  it('accepts uploads of lib-storage, and announces each once', async () => {
    endpoint.events.length = 0
    const data = pattern(12 * MIB + 1, 5)
    const Body = Readable.from([data.subarray(0, 3), data.subarray(3)])
    const params = { Bucket: BUCKET, Key: 'uploaded', Body }
    await new Upload({ client: endpoint.client, params, partSize: 5 * MIB }).done()
    expect((await bytes('uploaded', { ChecksumMode: 'ENABLED' })).equals(data)).toBe(true)
    expect(endpoint.events.map(({ detail }) => [detail.reason, detail.object.key, detail.object.size])).toEqual([
      ['CompleteMultipartUpload', 'uploaded', data.length],
    ])
  })
})
