import { S3Error } from '../errors.ts'
import type { ObjectRecord, ObjectRecords } from './records.ts'

/** The versioning of a bucket; undefined if it was never enabled. */
export type Versioning = 'Enabled' | 'Suspended' | undefined

const NULL_VERSION = 'null'

export const versionIdOf = ({ id, isVersion }: Pick<ObjectRecord, 'id' | 'isVersion'>): string =>
  isVersion ? id.toString(16).padStart(32, '0') : NULL_VERSION

/** @throws S3Error InvalidArgument for other texts */
export function readVersionId(text: string): number | typeof NULL_VERSION {
  if (text === NULL_VERSION) return text
  if (/^[0-9a-f]{32}$/.test(text)) return Number.parseInt(text, 16)
  throw new S3Error('InvalidArgument', 'Invalid version id specified.', { ArgumentName: 'versionId' })
}

/** Finds a version or delete marker by its id. */
export function findVersion(
  records: ObjectRecords,
  bucket: string,
  key: string,
  versionId: string,
): ObjectRecord | undefined {
  const id = readVersionId(versionId)
  if (id === NULL_VERSION) return records.nullVersion(bucket, key)
  const found = records.version(bucket, key, id)
  return found?.isVersion ? found : undefined
}

/**
 * Returns the object that a request names.
 * @throws S3Error NoSuchKey, NoSuchVersion, or MethodNotAllowed for a named delete marker
 */
export function readable(records: ObjectRecords, bucket: string, key: string, versionId: string | null): ObjectRecord {
  if (versionId === null) {
    const object = records.latest(bucket, key)
    if (object && !object.isMarker) return object
    throw new S3Error('NoSuchKey', 'The specified key does not exist.', { Key: key }, object && markerHeaders(object))
  }
  const object = findVersion(records, bucket, key, versionId)
  if (!object) {
    const fields = { Key: key, VersionId: versionId }
    throw new S3Error('NoSuchVersion', 'The specified version does not exist.', fields)
  }
  if (!object.isMarker) return object
  const message = 'The specified method is not allowed against this resource.'
  const headers = { allow: 'DELETE', ...markerHeaders(object) }
  throw new S3Error('MethodNotAllowed', message, { Method: 'GET', ResourceType: 'DeleteMarker' }, headers)
}

export const markerHeaders = (marker: Pick<ObjectRecord, 'id' | 'isVersion'>) => ({
  'x-amz-delete-marker': 'true',
  'x-amz-version-id': versionIdOf(marker),
})

/** Returns the version header; none for objects of buckets without versioning. */
export const versionHeader = (object: ObjectRecord, versioning: Versioning): Record<string, string> =>
  object.isVersion || versioning ? { 'x-amz-version-id': versionIdOf(object) } : {}
