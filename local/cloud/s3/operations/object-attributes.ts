import { elementOf } from '../checksums.ts'
import { S3Error } from '../errors.ts'
import { versionIdOf } from '../store/versions.ts'
import { httpTime, objectOf, type S3Call, xmlResponse } from './operation.ts'

const KNOWN = ['ETag', 'Checksum', 'ObjectParts', 'StorageClass', 'ObjectSize']

/**
 * Returns the asked attributes of an object. Of its parts it returns the number: their sizes and checksums are not kept
 * once an upload is completed.
 * @throws S3Error InvalidArgument for none, or for an attribute that S3 does not have
 */
export function getObjectAttributes(call: S3Call): Response {
  const object = objectOf(call)
  const asked = (call.request.headers.get('x-amz-object-attributes') ?? '').split(',').map((name) => name.trim())
  const unknown = asked.find((name) => !KNOWN.includes(name))
  if (unknown !== undefined)
    throw new S3Error('InvalidArgument', `x-amz-object-attributes must list some of ${KNOWN.join(', ')}.`)
  const { etag, checksum, size, created, isVersion } = object
  const [, parts] = /-(\d+)$/.exec(etag) ?? []
  const attributes: Readonly<Record<string, object | string | number | undefined>> = {
    ETag: etag,
    Checksum: { [elementOf(checksum.algorithm)]: checksum.value, ChecksumType: checksum.type },
    ObjectParts: parts === undefined ? undefined : { PartsCount: Number(parts) },
    StorageClass: 'STANDARD',
    ObjectSize: size,
  }
  const shown = Object.fromEntries(KNOWN.filter((name) => asked.includes(name)).map((name) => [name, attributes[name]]))
  return xmlResponse(
    { GetObjectAttributesResponse: shown as Record<string, string> },
    { 'last-modified': httpTime(created), ...(isVersion && { 'x-amz-version-id': versionIdOf(object) }) },
  )
}
