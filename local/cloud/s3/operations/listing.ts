import { S3Error } from '../errors.ts'
import type { S3Request } from '../http/request.ts'
import type { ObjectRecord, ObjectRecords } from '../store/records.ts'
import { OWNER } from './buckets.ts'
import { isoTime, numberOf, type S3Call, xmlResponse } from './operation.ts'

const MAX_KEYS = 1000

/** The position of a listing: the first bytes of the next key. */
type Position = Uint8Array

interface Page {
  objects: ObjectRecord[]
  prefixes: string[]
  /** Absent on the last page. */
  next?: Position
}

export function listObjectsV2({ request, store }: S3Call): Response {
  const { query, bucket } = request
  const startAfter = query.get('start-after')
  const token = query.get('continuation-token')
  const start = token !== null ? readToken(token) : startAfter ? after(startAfter) : new Uint8Array()
  const { shown, page, ...listing } = readListing(store.records, request, start)
  return xmlResponse({
    ListBucketResult: {
      Name: bucket,
      StartAfter: startAfter === null ? undefined : shown(startAfter),
      ContinuationToken: token ?? undefined,
      NextContinuationToken: page.next && Buffer.from(page.next).toString('base64url'),
      KeyCount: page.objects.length + page.prefixes.length,
      ...listing,
      Contents: page.objects.map((object) => describe(object, shown)),
    },
  })
}

export interface KeysQuery {
  readonly prefix: string
  /** Key after which the list begins. @default the first key of the prefix */
  readonly after?: string | undefined
  /** @default 1,000, which is the maximum */
  readonly limit?: number | undefined
}

/** Lists the keys of the current objects under a prefix. */
export function listKeys(records: ObjectRecords, bucket: string, { prefix, after: key, limit = MAX_KEYS }: KeysQuery) {
  const start = key ? after(key) : new Uint8Array()
  const page = readPage(records, bucket, start, prefix, undefined, Math.min(limit, MAX_KEYS))
  return { keys: page.objects.map((object) => object.key), isTruncated: page.next !== undefined }
}

/**
 * Lists objects in the first version of the API, which many tools still use. It continues after a key or common prefix,
 * the marker.
 */
export function listObjects({ request, store }: S3Call): Response {
  const { query, bucket } = request
  const marker = query.get('marker') ?? ''
  const isPrefix = marker !== '' && commonPrefix(marker, query.get('prefix') ?? '', query.get('delimiter') || undefined)
  const start = marker === '' ? new Uint8Array() : isPrefix === marker ? beyond(marker) : after(marker)
  const { shown, page, ...listing } = readListing(store.records, request, start)
  const last = page.objects.at(-1)?.key ?? ''
  const lastPrefix = page.prefixes.at(-1) ?? ''
  const next = Buffer.compare(Buffer.from(last), Buffer.from(lastPrefix)) > 0 ? last : lastPrefix
  return xmlResponse({
    ListBucketResult: {
      Name: bucket,
      Marker: shown(marker),
      // S3 answers it with a delimiter only: without one, the last key is the marker.
      NextMarker: page.next && query.get('delimiter') ? shown(next) : undefined,
      ...listing,
      Contents: page.objects.map((object) => ({ ...describe(object, shown), Owner: OWNER })),
    },
  })
}

/** Reads what both versions of the listing have in common. */
function readListing(records: ObjectRecords, { query, bucket }: S3Request, start: Position) {
  const { prefix, delimiter, most, encoding, shown } = readListQuery(query, 'max-keys', 0)
  const page: Page =
    most === 0 ? { objects: [], prefixes: [] } : readPage(records, bucket, start, prefix, delimiter, most)
  return {
    shown,
    page,
    Prefix: shown(prefix),
    Delimiter: delimiter === undefined ? undefined : shown(delimiter),
    MaxKeys: most,
    EncodingType: encoding,
    IsTruncated: page.next !== undefined,
    CommonPrefixes: page.prefixes.map((each) => ({ Prefix: shown(each) })),
  }
}

const describe = ({ key, created, etag, checksum, size }: ObjectRecord, shown: (text: string) => string) => ({
  Key: shown(key),
  LastModified: isoTime(created),
  ETag: `"${etag}"`,
  ChecksumAlgorithm: checksum.algorithm,
  ChecksumType: checksum.type,
  Size: size,
  StorageClass: 'STANDARD',
})

/** Reads what the queries of all listings have in common: `most` entries on a page, and how their keys are shown. */
export const readListQuery = (query: URLSearchParams, limit: 'max-keys' | 'max-uploads', min: number) => ({
  prefix: query.get('prefix') ?? '',
  delimiter: query.get('delimiter') || undefined,
  most: Math.min(numberOf(query, limit, min, 2 ** 31 - 1) ?? MAX_KEYS, MAX_KEYS),
  ...readEncoding(query),
})

function readEncoding(query: URLSearchParams): { encoding: 'url' | undefined; shown(text: string): string } {
  const encoding = query.get('encoding-type') ?? undefined
  if (encoding === undefined) return { encoding, shown: (text) => text }
  if (encoding !== 'url') throw new S3Error('InvalidArgument', 'encoding-type must be url.')
  return { encoding, shown: encodeKey }
}

function readPage(
  records: ObjectRecords,
  bucket: string,
  start: Position,
  prefix: string,
  delimiter: string | undefined,
  most: number,
): Page {
  const page: Page = { objects: [], prefixes: [] }
  const first = Buffer.from(prefix)
  const end = beyond(prefix)
  let position: Position | undefined = Buffer.compare(start, first) > 0 ? start : first
  while (position) {
    const from: Position = position
    position = undefined
    for (const object of records.objectsBetween(bucket, from, end)) {
      const common = commonPrefix(object.key, prefix, delimiter)
      if (page.objects.length + page.prefixes.length === most) {
        page.next = Buffer.from(object.key)
        break
      }
      if (common === undefined) {
        page.objects.push(object)
        continue
      }
      page.prefixes.push(common)
      position = beyond(common)
      break
    }
  }
  return page
}

export function commonPrefix(key: string, prefix: string, delimiter: string | undefined): string | undefined {
  const end = delimiter === undefined ? -1 : key.indexOf(delimiter, prefix.length)
  return end < 0 ? undefined : key.slice(0, end + (delimiter?.length ?? 0))
}

/** The least position behind `key` itself. */
const after = (key: string): Position => Buffer.concat([Buffer.from(key), Buffer.alloc(1)])

/** The least position behind everything that begins with `prefix`: no byte of UTF-8 is 255, so the last can grow by one. */
function beyond(prefix: string): Position {
  if (prefix === '') return Buffer.of(255)
  const bytes = Buffer.from(prefix)
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) + 1
  return bytes
}

function readToken(token: string): Position {
  if (!/^[A-Za-z0-9_-]+$/.test(token)) throw new S3Error('InvalidArgument', 'The continuation token is not valid.')
  return Buffer.from(token, 'base64url')
}

const encodeKey = (key: string) => encodeURIComponent(key).replace(/%2F/g, '/')
