import type { UploadRecord } from '../store/records.ts'
import { OWNER } from './buckets.ts'
import { commonPrefix, readListQuery } from './listing.ts'
import { isoTime, type S3Call, xmlResponse } from './operation.ts'

/** Lists the multipart uploads under way, by key and then by the order in which they began. */
export function listMultipartUploads({ request, store }: S3Call): Response {
  const { query, bucket } = request
  const keyMarker = query.get('key-marker') ?? ''
  const idMarker = keyMarker === '' ? '' : (query.get('upload-id-marker') ?? '')
  const { prefix, delimiter, most: max, encoding, shown } = readListQuery(query, 'max-uploads', 1)

  const uploads: UploadRecord[] = []
  const prefixes: string[] = []
  let last: { key: string; id: string } | undefined
  let isTruncated = false
  for (const upload of store.records.uploads(bucket)) {
    const { key, id } = upload
    const common = commonPrefix(key, prefix, delimiter)
    const order = Buffer.compare(Buffer.from(key), Buffer.from(keyMarker))
    const isPast = order < 0 || (order === 0 && keyMarker !== '' && (idMarker === '' || id <= idMarker))
    const isFolded = common !== undefined && (common === prefixes.at(-1) || keyMarker.startsWith(common))
    if (!key.startsWith(prefix) || isPast || isFolded) continue
    isTruncated = uploads.length + prefixes.length === max
    if (isTruncated) break
    if (common === undefined) uploads.push(upload)
    else prefixes.push(common)
    last = { key: common ?? key, id: common === undefined ? id : '' }
  }

  return xmlResponse({
    ListMultipartUploadsResult: {
      Bucket: bucket,
      KeyMarker: shown(keyMarker),
      UploadIdMarker: idMarker,
      NextKeyMarker: isTruncated && last ? shown(last.key) : undefined,
      NextUploadIdMarker: isTruncated && last ? last.id : undefined,
      Prefix: shown(prefix),
      Delimiter: delimiter === undefined ? undefined : shown(delimiter),
      EncodingType: encoding,
      MaxUploads: max,
      IsTruncated: isTruncated,
      Upload: uploads.map(({ key, id, created, checksum }) => ({
        Key: shown(key),
        UploadId: id,
        Initiator: OWNER,
        Owner: OWNER,
        StorageClass: 'STANDARD',
        Initiated: isoTime(created),
        ChecksumAlgorithm: checksum?.algorithm,
        ChecksumType: checksum?.type,
      })),
      CommonPrefixes: prefixes.map((each) => ({ Prefix: shown(each) })),
    },
  })
}
