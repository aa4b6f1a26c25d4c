import { ATTRIBUTE_HEADERS } from '../attributes.ts'
import { ALGORITHMS, headerOf } from '../checksums.ts'
import { S3Error } from '../errors.ts'
import type { S3Request } from '../http/request.ts'
import { getBucketLocation, getBucketVersioning, listBuckets } from './buckets.ts'
import { completeMultipartUpload } from './completing.ts'
import { copyObject } from './copying.ts'
import { deleteObject, deleteObjects } from './deleting.ts'
import { listObjects, listObjectsV2 } from './listing.ts'
import { listMultipartUploads } from './listing-uploads.ts'
import { listObjectVersions } from './listing-versions.ts'
import { getObjectAttributes } from './object-attributes.ts'
import { getObject, OVERRIDE_PARAMETERS, putObject } from './objects.ts'
import { emptyResponse, type S3Operation } from './operation.ts'
import { listParts, uploadPart, uploadPartCopy } from './parts.ts'
import { deleteObjectTagging, getObjectTagging, putObjectTagging } from './tagging.ts'
import { abortMultipartUpload, createMultipartUpload } from './uploads.ts'

const CHECKSUM_HEADERS = [
  ...ALGORITHMS.map(headerOf),
  'x-amz-sdk-checksum-algorithm',
  'x-amz-trailer',
  'x-amz-decoded-content-length',
]
const COPY_HEADERS = ['x-amz-copy-source-if-*']
const READ = { query: ['versionId', ...OVERRIDE_PARAMETERS], headers: ['x-amz-checksum-mode'], run: getObject }

/** Everything the endpoint does; where several fit, the first one counts. */
const OPERATIONS: S3Operation[] = [
  {
    name: 'ListBuckets',
    method: 'GET',
    on: 'service',
    query: ['prefix', 'max-buckets', 'continuation-token'],
    run: listBuckets,
  },
  { name: 'HeadBucket', method: 'HEAD', on: 'bucket', run: () => emptyResponse(200) },
  {
    name: 'ListObjectsV2',
    method: 'GET',
    on: 'bucket',
    needs: ['list-type'],
    query: ['prefix', 'delimiter', 'start-after', 'continuation-token', 'max-keys', 'encoding-type'],
    run: listObjectsV2,
  },
  {
    name: 'ListObjectVersions',
    method: 'GET',
    on: 'bucket',
    needs: ['versions'],
    query: ['prefix', 'delimiter', 'key-marker', 'version-id-marker', 'max-keys', 'encoding-type'],
    run: listObjectVersions,
  },
  {
    name: 'ListMultipartUploads',
    method: 'GET',
    on: 'bucket',
    needs: ['uploads'],
    query: ['prefix', 'delimiter', 'key-marker', 'upload-id-marker', 'max-uploads', 'encoding-type'],
    run: listMultipartUploads,
  },
  { name: 'GetBucketLocation', method: 'GET', on: 'bucket', needs: ['location'], run: getBucketLocation },
  { name: 'GetBucketVersioning', method: 'GET', on: 'bucket', needs: ['versioning'], run: getBucketVersioning },
  {
    name: 'DeleteObjects',
    method: 'POST',
    on: 'bucket',
    needs: ['delete'],
    headers: CHECKSUM_HEADERS,
    run: deleteObjects,
  },
  {
    name: 'ListObjects',
    method: 'GET',
    on: 'bucket',
    query: ['prefix', 'delimiter', 'marker', 'max-keys', 'encoding-type'],
    run: listObjects,
  },
  { name: 'HeadObject', method: 'HEAD', on: 'object', ...READ },
  {
    name: 'GetObjectTagging',
    method: 'GET',
    on: 'object',
    needs: ['tagging'],
    query: ['versionId'],
    run: getObjectTagging,
  },
  {
    name: 'PutObjectTagging',
    method: 'PUT',
    on: 'object',
    needs: ['tagging'],
    query: ['versionId'],
    headers: CHECKSUM_HEADERS,
    run: putObjectTagging,
  },
  {
    name: 'DeleteObjectTagging',
    method: 'DELETE',
    on: 'object',
    needs: ['tagging'],
    query: ['versionId'],
    run: deleteObjectTagging,
  },
  {
    name: 'ListParts',
    method: 'GET',
    on: 'object',
    needs: ['uploadId'],
    query: ['max-parts', 'part-number-marker'],
    run: listParts,
  },
  {
    name: 'GetObjectAttributes',
    method: 'GET',
    on: 'object',
    needs: ['attributes'],
    query: ['versionId'],
    headers: ['x-amz-object-attributes'],
    run: getObjectAttributes,
  },
  { name: 'GetObject', method: 'GET', on: 'object', ...READ },
  {
    name: 'UploadPartCopy',
    method: 'PUT',
    on: 'object',
    needs: ['uploadId', 'partNumber'],
    needsHeader: 'x-amz-copy-source',
    headers: ['x-amz-copy-source-range', ...COPY_HEADERS],
    run: uploadPartCopy,
  },
  {
    name: 'UploadPart',
    method: 'PUT',
    on: 'object',
    needs: ['uploadId', 'partNumber'],
    headers: CHECKSUM_HEADERS,
    run: uploadPart,
  },
  {
    name: 'CopyObject',
    method: 'PUT',
    on: 'object',
    needsHeader: 'x-amz-copy-source',
    headers: [
      ...COPY_HEADERS,
      ...ATTRIBUTE_HEADERS,
      'x-amz-metadata-directive',
      'x-amz-tagging-directive',
      'x-amz-checksum-algorithm',
    ],
    run: copyObject,
  },
  {
    name: 'PutObject',
    method: 'PUT',
    on: 'object',
    headers: [...CHECKSUM_HEADERS, ...ATTRIBUTE_HEADERS],
    run: putObject,
  },
  {
    name: 'CreateMultipartUpload',
    method: 'POST',
    on: 'object',
    needs: ['uploads'],
    headers: [...ATTRIBUTE_HEADERS, 'x-amz-checksum-algorithm', 'x-amz-checksum-type'],
    run: createMultipartUpload,
  },
  {
    name: 'CompleteMultipartUpload',
    method: 'POST',
    on: 'object',
    needs: ['uploadId'],
    headers: [...ALGORITHMS.map(headerOf), 'x-amz-checksum-type', 'x-amz-mp-object-size'],
    checksumsAreOf: 'object',
    run: completeMultipartUpload,
  },
  { name: 'AbortMultipartUpload', method: 'DELETE', on: 'object', needs: ['uploadId'], run: abortMultipartUpload },
  { name: 'DeleteObject', method: 'DELETE', on: 'object', query: ['versionId'], run: deleteObject },
]

/** Names that only label a request, or were judged before with its signature. */
const ALWAYS_QUERY = ['x-id']
const ALWAYS_HEADERS = ['x-amz-date', 'x-amz-content-sha256', 'x-amz-user-agent']

/** Returns the operation a request asks for; throws NotImplemented, by name, for what is not served. */
export function operationFor(request: S3Request): S3Operation {
  const on = request.key !== '' ? 'object' : request.bucket !== '' ? 'bucket' : 'service'
  const fits = (operation: S3Operation) =>
    operation.method === request.method &&
    operation.on === on &&
    (operation.needs ?? []).every((name) => request.query.has(name)) &&
    (operation.needsHeader === undefined || request.headers.has(operation.needsHeader))
  const operation = OPERATIONS.find(fits)
  if (!operation) throw notImplemented(`${describe(request)} is not implemented here.`)

  const query = [...ALWAYS_QUERY, ...(operation.needs ?? []), ...(operation.query ?? [])]
  const unknown = [...request.query.keys()].find((name) => !query.includes(name))
  if (unknown !== undefined) {
    const what = isSubresource(unknown) ? describe(request) : `${operation.name} with the query parameter ${unknown}`
    throw notImplemented(`${what} is not implemented here.`)
  }

  const headers = [...ALWAYS_HEADERS, operation.needsHeader ?? '', ...(operation.headers ?? [])]
  const understands = (name: string) =>
    headers.some((each) => (each.endsWith('*') ? name.startsWith(each.slice(0, -1)) : name === each))
  const strange = [...request.headers.keys()].find((name) => name.startsWith('x-amz-') && !understands(name))
  if (strange !== undefined)
    throw notImplemented(`${operation.name} with the header ${strange} is not implemented here.`)
  return operation
}

const notImplemented = (message: string) => new S3Error('NotImplemented', message)

/** Query parameters that distinguish operations on buckets and objects. S3 calls those of the second list configurations. */
const SUBRESOURCES = new Set(
  `acl attributes cors encryption legal-hold location logging ownershipControls policy policyStatus publicAccessBlock
  replication requestPayment retention tagging torrent versioning website`.split(/\s+/),
)
const CONFIGURATIONS = new Set(
  'accelerate analytics intelligent-tiering inventory lifecycle metrics notification object-lock'.split(' '),
)

const isSubresource = (name: string) => SUBRESOURCES.has(name) || CONFIGURATIONS.has(name)

/** Returns the part of an operation’s name that a query parameter stands for: `LegalHold`, `LifecycleConfiguration`. */
const toName = (subresource: string) =>
  subresource.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase()) +
  (CONFIGURATIONS.has(subresource) ? 'Configuration' : '')

const VERBS: Record<string, string> = { GET: 'Get', PUT: 'Put', DELETE: 'Delete' }

function describe({ method, key, query }: S3Request): string {
  const subresource = [...query.keys()].find(isSubresource)
  const verb = VERBS[method]
  if (subresource && verb) return `${verb}${key ? 'Object' : 'Bucket'}${toName(subresource)}`
  if (method === 'POST' && query.has('restore')) return 'RestoreObject'
  if (method === 'POST' && query.has('select')) return 'SelectObjectContent'
  if ([...query.keys()].every((name) => ALWAYS_QUERY.includes(name))) {
    if (method === 'PUT') return 'CreateBucket (buckets come from the stack)'
    if (method === 'DELETE') return 'DeleteBucket (buckets come from the stack)'
  }
  return `${method} of ${key ? 'an object' : 'a bucket'} with ${[...query.keys()].join(', ') || 'no parameters'}`
}
