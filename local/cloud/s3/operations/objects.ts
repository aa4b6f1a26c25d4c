import { responseOf } from '../../large-response.ts'
import { readAttributes } from '../attributes.ts'
import { type Algorithm, DEFAULT_ALGORITHM, headerOf, type ObjectChecksum } from '../checksums.ts'
import { checkRead, checkWrite, mayBePart } from '../http/conditions.ts'
import { readObjectRange } from '../http/ranges.ts'
import type { ObjectRecord } from '../store/records.ts'
import type { Held } from '../store/store.ts'
import { versionHeader } from '../store/versions.ts'
import { emptyResponse, httpTime, objectOf, type Reason, type S3Call } from './operation.ts'

export async function putObject(call: S3Call): Promise<Response> {
  const { request, body, store } = call
  checkWrite(store.records.object(request.bucket, request.key), request.headers)
  const attributes = readAttributes(request.headers)
  const algorithm: Algorithm = body.claimed ?? DEFAULT_ALGORITHM
  const content = await store.receive(body.bytes([algorithm, 'MD5']))
  const { size, sums } = body.measured()
  const checksum: ObjectChecksum = { algorithm, type: 'FULL_OBJECT', value: sums[algorithm] ?? '' }
  const object = writeObject(call, 'PutObject', content, { ...attributes, size, etag: sums.MD5 ?? '', checksum })
  return emptyResponse(200, { etag: `"${object.etag}"`, ...checksumHeaders(checksum), ...headersOf(call, object) })
}

/** The parts of a call that a write needs. */
type WriteCall = Pick<S3Call, 'store' | 'versioning' | 'now' | 'announce'> & {
  readonly request: Pick<S3Call['request'], 'bucket' | 'key' | 'headers'>
}

/**
 * Stores `content` as the object that the request names, and releases it. Conditions are checked in the same turn as
 * the write, so that only one of several writers that require an absent or unchanged object succeeds.
 */
export function writeObject(
  { request, store, versioning, now, announce }: WriteCall,
  reason: Reason,
  content: Held,
  rest: Omit<ObjectRecord, 'id' | 'bucket' | 'key' | 'created'>,
  alsoRemove: { parts: { id: number }[]; act(): void } = { parts: [], act() {} },
): ObjectRecord {
  const { bucket, key, headers } = request
  const { records } = store
  try {
    const latest = records.latest(bucket, key)
    checkWrite(latest?.isMarker ? undefined : latest, headers)
    const isVersion = versioning === 'Enabled'
    const findFormer = () => (latest?.isVersion ? records.nullVersion(bucket, key) : latest)
    const replaced = isVersion ? undefined : findFormer()
    const written = { id: records.nextNumber(), bucket, key, created: now(), ...(isVersion && { isVersion }) }
    const object: ObjectRecord = { ...written, ...rest }
    store.change([...(replaced ? [replaced] : []), ...alsoRemove.parts], () => {
      if (replaced) records.removeObject(replaced)
      alsoRemove.act()
      records.addObject(object, content.extents)
    })
    announce(object, reason)
    return object
  } finally {
    content.release()
  }
}

export function getObject(call: S3Call): Response {
  const { request, store, versioning } = call
  const object = objectOf(call)
  if (checkRead(object, request.headers) === 'unchanged') return emptyResponse(304, validators(object))
  const range = mayBePart(object, request.headers)
    ? readObjectRange(request.headers.get('range'), object.size)
    : undefined
  const length = range ? range.end - range.start : object.size
  const headers = {
    ...object.headers,
    ...overrides(request.query),
    ...validators(object),
    'accept-ranges': 'bytes',
    'content-length': String(length),
    ...(range ? { 'content-range': `bytes ${range.start}-${range.end - 1}/${object.size}` } : {}),
    // A checksum is of the whole object and would not fit a part of it.
    ...(request.headers.get('x-amz-checksum-mode') === 'ENABLED' && !range ? checksumHeaders(object.checksum) : {}),
    ...tagCount(object),
    ...versionHeader(object, versioning),
  }
  const status = range ? 206 : 200
  if (request.method === 'HEAD' || length === 0) return new Response(null, { status, headers })
  return responseOf(store.hold(object.id, range?.start, range?.end), { status, headers })
}

const checksumHeaders = ({ algorithm, type, value }: ObjectChecksum) => ({
  [headerOf(algorithm)]: value,
  'x-amz-checksum-type': type,
})

/** Returns the headers of a new object in the answer to a write. */
export function headersOf({ versioning }: S3Call, object: ObjectRecord): Record<string, string> {
  const name = 'x-amz-server-side-encryption'
  const encryption = object.headers[name]
  return { ...(encryption !== undefined && { [name]: encryption }), ...versionHeader(object, versioning) }
}

const validators = ({ etag, created }: ObjectRecord) => ({ etag: `"${etag}"`, 'last-modified': httpTime(created) })

function tagCount({ tags }: ObjectRecord): Record<string, string> {
  const count = Object.keys(tags).length
  return count === 0 ? {} : { 'x-amz-tagging-count': String(count) }
}

/** Query parameters that replace headers of the answer, by the header each replaces. */
const OVERRIDES = {
  'response-cache-control': 'cache-control',
  'response-content-disposition': 'content-disposition',
  'response-content-encoding': 'content-encoding',
  'response-content-language': 'content-language',
  'response-content-type': 'content-type',
  'response-expires': 'expires',
}

export const OVERRIDE_PARAMETERS = Object.keys(OVERRIDES)

function overrides(query: URLSearchParams): Record<string, string> {
  const sent = Object.entries(OVERRIDES).filter(([parameter]) => query.has(parameter))
  return Object.fromEntries(sent.map(([parameter, header]) => [header, query.get(parameter) ?? '']))
}
