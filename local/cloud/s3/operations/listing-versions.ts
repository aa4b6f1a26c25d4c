import type { ObjectRecord } from '../store/records.ts'
import { readVersionId, versionIdOf } from '../store/versions.ts'
import { commonPrefix, readListQuery } from './listing.ts'
import { isoTime, type S3Call, xmlResponse } from './operation.ts'

interface Entry {
  readonly object: ObjectRecord
  readonly isLatest: boolean
}

export function listObjectVersions({ request, store }: S3Call): Response {
  const { query, bucket } = request
  const keyMarker = query.get('key-marker') ?? ''
  const versionMarker = query.get('version-id-marker')
  const { prefix, delimiter, most, encoding, shown } = readListQuery(query, 'max-keys', 0)
  const marker = versionMarker ? readVersionId(versionMarker) : undefined
  const markedNull = marker === 'null' ? (store.records.nullVersion(bucket, keyMarker)?.id ?? 0) : marker

  const entries: Entry[] = []
  const prefixes: string[] = []
  let isTruncated = false
  let last: ObjectRecord | undefined
  let lastKey = keyMarker
  for (const object of store.records.versionsFrom(bucket, Buffer.from(keyMarker), markedNull ?? 0)) {
    const { key } = object
    const common = commonPrefix(key, prefix, delimiter)
    const isPast = common !== undefined && (common === prefixes.at(-1) || keyMarker.startsWith(common))
    if (!key.startsWith(prefix) || isPast) continue
    if (entries.length + prefixes.length === most) {
      isTruncated = most > 0
      break
    }
    if (common === undefined) entries.push({ object, isLatest: key !== lastKey })
    else prefixes.push(common)
    last = object
    lastKey = key
  }

  const next = isTruncated && last ? commonPrefix(last.key, prefix, delimiter) : undefined
  return xmlResponse({
    ListVersionsResult: {
      Name: bucket,
      Prefix: shown(prefix),
      Delimiter: delimiter === undefined ? undefined : shown(delimiter),
      KeyMarker: shown(keyMarker),
      VersionIdMarker: versionMarker ?? '',
      NextKeyMarker: isTruncated && last ? shown(next ?? last.key) : undefined,
      NextVersionIdMarker: isTruncated && last && next === undefined ? versionIdOf(last) : undefined,
      MaxKeys: most,
      EncodingType: encoding,
      IsTruncated: isTruncated,
      Version: entries
        .filter(({ object }) => !object.isMarker)
        .map((entry) => ({
          ...describe(entry, shown),
          ETag: `"${entry.object.etag}"`,
          ChecksumAlgorithm: entry.object.checksum.algorithm,
          ChecksumType: entry.object.checksum.type,
          Size: entry.object.size,
          StorageClass: 'STANDARD',
        })),
      DeleteMarker: entries.filter(({ object }) => object.isMarker).map((entry) => describe(entry, shown)),
      CommonPrefixes: prefixes.map((each) => ({ Prefix: shown(each) })),
    },
  })
}

const describe = ({ object, isLatest }: Entry, shown: (text: string) => string) => ({
  Key: shown(object.key),
  VersionId: versionIdOf(object),
  IsLatest: isLatest,
  LastModified: isoTime(object.created),
})
