import { S3Error } from '../errors.ts'
import { checkDelete } from '../http/conditions.ts'
import { readXml, type XmlContent } from '../http/xml.ts'
import type { ObjectRecord } from '../store/records.ts'
import { findVersion, markerHeaders, versionIdOf } from '../store/versions.ts'
import { emptyResponse, type S3Call, xmlResponse } from './operation.ts'

const MAX_KEYS = 1000

export function deleteObject(call: S3Call): Response {
  const { key, query, headers } = call.request
  const { versionId, marker } = remove(call, { key, versionId: query.get('versionId'), match: headers.get('if-match') })
  const named: Record<string, string> = versionId === undefined ? {} : { 'x-amz-version-id': versionId }
  return emptyResponse(204, { ...named, ...(marker && markerHeaders(marker)) })
}

export async function deleteObjects(call: S3Call): Promise<Response> {
  const { request, body } = call
  if (!body.claimed && !request.headers.has('content-md5')) {
    throw new S3Error('InvalidRequest', 'Missing required header for this request: Content-MD5 or a checksum.')
  }
  const document = readXml(await body.text(), 'Delete')
  const named = document.all('Object')
  if (named.length === 0 || named.length > MAX_KEYS) {
    throw new S3Error('MalformedXML', `One request deletes 1 to ${MAX_KEYS} keys.`)
  }
  const orders = named.map((each) => {
    for (const name of ['LastModifiedTime', 'Size']) {
      if (each.text(name) !== undefined) {
        throw new S3Error('NotImplemented', `DeleteObjects with ${name} is not implemented.`)
      }
    }
    const key = each.text('Key')
    if (!key) throw new S3Error('MalformedXML', 'An object to delete has no Key.')
    return { key, versionId: each.text('VersionId') ?? null, match: each.text('ETag') ?? null }
  })
  const results = orders.map((order) => removeOrSay(call, order))
  const isQuiet = document.text('Quiet') === 'true'
  return xmlResponse({
    DeleteResult: {
      Deleted: results.flatMap(({ deleted }) => (deleted && !isQuiet ? [deleted] : [])),
      Error: results.flatMap(({ error }) => error ?? []),
    },
  })
}

interface Order {
  readonly key: string
  /** Null for the current one. */
  readonly versionId: string | null
  /** Value of `If-Match`. */
  readonly match: string | null
}

interface Removal {
  /** Version that was deleted permanently. */
  readonly versionId?: string
  /** A delete marker that was made, or is gone. */
  readonly marker?: Pick<ObjectRecord, 'id' | 'isVersion'>
}

type Element = { readonly [name: string]: XmlContent }

function removeOrSay(call: S3Call, order: Order): { deleted?: Element; error?: Element } {
  const { key: Key } = order
  const VersionId = order.versionId ?? undefined
  try {
    const { marker } = remove(call, order)
    const about = marker && { DeleteMarker: true, DeleteMarkerVersionId: versionIdOf(marker) }
    return { deleted: { Key, VersionId, ...about } }
  } catch (error) {
    if (!(error instanceof S3Error)) throw error
    return { error: { Key, VersionId, Code: error.code, Message: error.message } }
  }
}

/**
 * Deletes the named version permanently. Without one, deletes the current version, which leaves a marker if versions
 * are kept.
 */
function remove({ request: { bucket }, store, versioning, now }: S3Call, { key, versionId, match }: Order): Removal {
  const { records } = store
  if (versionId !== null) {
    const version = findVersion(records, bucket, key, versionId)
    if (version) store.change([version], () => records.removeObject(version))
    return { versionId, ...(version?.isMarker && { marker: version }) } // one that was not there counts as deleted
  }
  checkDelete(records.latest(bucket, key), match)
  const isVersion = versioning === 'Enabled'
  const replaced = isVersion ? undefined : records.nullVersion(bucket, key)
  return store.change(replaced ? [replaced] : [], () => {
    if (replaced) records.removeObject(replaced)
    if (!isVersion && !records.latest(bucket, key)) return {}
    const marker = { id: records.nextNumber(), ...(isVersion && { isVersion }), isMarker: true }
    records.addObject({ ...marker, bucket, key, created: now(), ...NOTHING }, [])
    return { marker }
  })
}

const NOTHING = {
  size: 0,
  etag: '',
  headers: {},
  tags: {},
  checksum: { algorithm: 'CRC64NVME', type: 'FULL_OBJECT', value: '' },
} as const
