import { readAttributes } from '../attributes.ts'
import { type Algorithm, algorithmNamed, createMeter, elementOf, type MeasuredBody, type Sum } from '../checksums.ts'
import { S3Error } from '../errors.ts'
import { checkRead, checkWrite, failed } from '../http/conditions.ts'
import type { ObjectRecord } from '../store/records.ts'
import type { Held } from '../store/store.ts'
import { readable, versionIdOf } from '../store/versions.ts'
import { headersOf, writeObject } from './objects.ts'
import { isoTime, type S3Call, xmlResponse } from './operation.ts'

const MAX_COPY_BYTES = 5 * 1024 ** 3

/** Copies an object. The new object shares the blobs of the old one, and bytes are read only for unknown sums. */
export async function copyObject(call: S3Call): Promise<Response> {
  const { request, store } = call
  const { headers } = request
  checkWrite(store.records.object(request.bucket, request.key), headers)
  const { object: source, isNamedVersion } = copySource(call)
  const replaces = directive(headers, 'x-amz-metadata-directive')
  const replacesTags = directive(headers, 'x-amz-tagging-directive')
  if (source.bucket === request.bucket && source.key === request.key && !replaces && !isNamedVersion) {
    const message =
      'This copy request is illegal because it is trying to copy an object to itself without changing its metadata.'
    throw new S3Error('InvalidRequest', message)
  }
  if (source.size > MAX_COPY_BYTES) {
    throw new S3Error('InvalidRequest', 'The source exceeds 5 GiB: copy it by UploadPartCopy.')
  }
  const given = readAttributes(headers)
  const algorithm = algorithmNamed(headers.get('x-amz-checksum-algorithm') ?? source.checksum.algorithm)
  const content = store.hold(source.id)
  const sums = await sumsOf(source, content, algorithm)
  const object = writeObject(call, 'CopyObject', content, {
    size: source.size,
    etag: sums.MD5 ?? '',
    checksum: { algorithm, type: 'FULL_OBJECT', value: sums[algorithm] ?? '' },
    headers: replaces ? given.headers : source.headers,
    tags: replacesTags ? given.tags : source.tags,
  })
  const result = {
    ETag: `"${object.etag}"`,
    LastModified: isoTime(object.created),
    ChecksumType: object.checksum.type,
    [elementOf(algorithm)]: object.checksum.value,
  }
  return xmlResponse({ CopyObjectResult: result }, { ...sourceHeader(source), ...headersOf(call, object) })
}

export const sourceHeader = (source: ObjectRecord): Record<string, string> =>
  source.isVersion ? { 'x-amz-copy-source-version-id': versionIdOf(source) } : {}

/** Returns the object that x-amz-copy-source names, if its conditions hold. */
export function copySource({ request, store }: S3Call): { object: ObjectRecord; isNamedVersion: boolean } {
  const header = request.headers.get('x-amz-copy-source') ?? ''
  const [path = '', query] = header.replace(/^\//, '').split('?')
  const versionId = query === undefined ? null : new URLSearchParams(query).get('versionId')
  const [, bucket, key] = /^([^/]+)\/(.+)$/s.exec(decodeSource(path)) ?? []
  if (bucket === undefined || key === undefined) {
    throw new S3Error('InvalidArgument', 'x-amz-copy-source must be <bucket>/<key>, percent-encoded.')
  }
  if (!store.records.hasBucket(bucket)) {
    throw new S3Error('NoSuchBucket', 'The specified bucket does not exist.', { BucketName: bucket })
  }
  const object = readable(store.records, bucket, key, versionId)
  if (checkRead(object, request.headers, 'x-amz-copy-source-') === 'unchanged') {
    const tag = 'x-amz-copy-source-if-none-match'
    throw failed(request.headers.has(tag) ? tag : 'x-amz-copy-source-if-modified-since')
  }
  return { object, isNamedVersion: versionId !== null }
}

function decodeSource(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    throw new S3Error('InvalidArgument', 'x-amz-copy-source is not valid percent-encoded UTF-8.')
  }
}

/** Returns true if the request’s values replace those of the source. */
function directive(headers: Headers, name: string): boolean {
  const value = headers.get(name) ?? 'COPY'
  if (value !== 'COPY' && value !== 'REPLACE') throw new S3Error('InvalidArgument', `${name} must be COPY or REPLACE.`)
  return value === 'REPLACE'
}

async function sumsOf(source: ObjectRecord, content: Held, algorithm: Algorithm): Promise<MeasuredBody['sums']> {
  const { checksum, etag } = source
  const isKnown = !etag.includes('-') && checksum.type === 'FULL_OBJECT' && checksum.algorithm === algorithm
  if (isKnown) return { MD5: etag, [algorithm]: checksum.value }
  return (await measure(content, [algorithm, 'MD5'])).sums
}

/** Reads through what is held, keeping none of it. */
async function measure(content: Held, sums: Iterable<Sum>): Promise<MeasuredBody> {
  const meter = createMeter(sums)
  try {
    for await (const _ of meter.through(content.bytes())) {
      // Only the sums are wanted.
    }
  } catch (error) {
    content.release()
    throw error
  }
  return meter.result()
}
