import { createHash } from 'node:crypto'
import { withPooledBuffer } from '../../buffer-pool.ts'
import {
  type Algorithm,
  type Checksums,
  checksumOf,
  combineChecksums,
  DEFAULT_ALGORITHM,
  elementOf,
  headerOf,
} from '../checksums.ts'
import { S3Error } from '../errors.ts'
import { readCopyRange } from '../http/ranges.ts'
import type { PartRecord, UploadRecord } from '../store/records.ts'
import type { Held, ObjectStore } from '../store/store.ts'
import { copySource, sourceHeader } from './copying.ts'
import { emptyResponse, isoTime, numberOf, type S3Call, uploadOf, xmlResponse } from './operation.ts'

export const MAX_PARTS = 10_000
const MAX_PART_BYTES = 5 * 1024 ** 3

/** Returns the algorithm of all parts, independent of the sender’s checksum. */
export const algorithmOf = ({ checksum }: UploadRecord): Algorithm => checksum?.algorithm ?? DEFAULT_ALGORITHM

export async function uploadPart(call: S3Call): Promise<Response> {
  const { request, body, store } = call
  const upload = uploadOf(call)
  const number = partNumber(request.query)
  const expected = upload.checksum?.algorithm
  if (expected && body.claimed !== expected && (body.claimed || upload.checksum?.type === 'COMPOSITE')) {
    const message = `Checksum Type mismatch occurred, expected checksum Type: ${expected.toLowerCase()}, actual checksum Type: ${body.claimed?.toLowerCase() ?? 'null'}`
    throw new S3Error('InvalidRequest', message)
  }
  const naming = body.claimed ?? 'MD5'
  const content = await store.receive(body.bytes([algorithmOf(upload), naming]))
  const { size, sums } = body.measured()
  const { MD5, ...checksums } = sums
  const etag = MD5 ?? etagOf(`${naming} ${sums[naming]} ${size}`)
  const extents = content.extents.map((whole) => ({ ...whole, ...(sums.CRC32 && { crc32: sums.CRC32 }) }))
  keepPart(call, content, { number, size, etag, checksums }, extents)
  const echoed = expected ?? body.claimed
  return emptyResponse(200, {
    etag: `"${etag}"`,
    ...(echoed && checksums[echoed] ? { [headerOf(echoed)]: checksums[echoed] } : {}),
  })
}

/** Copies a part, which shares the source's blobs, which are read only for such checksums as are not known yet. */
export async function uploadPartCopy(call: S3Call): Promise<Response> {
  const { request, store, now } = call
  const upload = uploadOf(call)
  const number = partNumber(request.query)
  const { object: source } = copySource(call)
  const header = request.headers.get('x-amz-copy-source-range')
  const range = header === null ? { start: 0, end: source.size } : readCopyRange(header, source.size)
  if (range.end - range.start > MAX_PART_BYTES) {
    throw new S3Error('InvalidRequest', 'A part is at most 5 GiB: name a range of the source.')
  }
  const content = store.hold(source.id, range.start, range.end)
  const size = range.end - range.start
  const checksums = { [algorithmOf(upload)]: await summed(store, content, algorithmOf(upload)) }
  const etag = etagOf(`${source.etag} ${range.start}-${range.end}`)
  keepPart(call, content, { number, size, etag, checksums })
  const result = {
    ETag: `"${etag}"`,
    LastModified: isoTime(now()),
    ...(upload.checksum ? checksumElements(checksums, upload.checksum.algorithm) : {}),
  }
  return xmlResponse({ CopyPartResult: result }, sourceHeader(source))
}

async function summed(store: ObjectStore, content: Held, algorithm: Algorithm): Promise<string> {
  try {
    return await withPooledBuffer(async (memory) => {
      if (algorithm !== 'CRC32') return checksumOf(algorithm, content.bytes(memory))
      const sums = []
      for (const extent of content.extents) {
        const value = extent.crc32 ?? (await checksumOf('CRC32', store.read(extent, memory)))
        sums.push({ size: extent.length, value })
      }
      return combineChecksums('CRC32', 'FULL_OBJECT', sums).value
    })
  } catch (error) {
    content.release()
    throw error
  }
}

/**
 * Names a part by known facts: the checksum of the upload, or the source of a copy. An MD5 of the bytes would take
 * longer than all else, and clients may not expect one for multipart objects (Amazon S3 API reference, "Object", ETag).
 */
const etagOf = (known: string) => createHash('md5').update(known).digest('hex')

/** Stores a part. The last write of a number counts, and the upload may have ended meanwhile. */
function keepPart(
  call: S3Call,
  content: Held,
  part: Omit<PartRecord, 'id' | 'upload' | 'created'>,
  extents = content.extents,
): void {
  const { store, now } = call
  try {
    const upload = uploadOf(call)
    const former = store.records.parts(upload.id).filter(({ number }) => number === part.number)
    const id = store.records.nextNumber()
    store.change(former, () => {
      for (const each of former) store.records.removePart(each)
      store.records.addPart({ id, upload: upload.id, created: now(), ...part }, extents)
    })
  } finally {
    content.release()
  }
}

const partNumber = (query: URLSearchParams) => numberOf(query, 'partNumber', 1, MAX_PARTS) ?? 1

const checksumElements = (checksums: Checksums, algorithm: Algorithm) => ({
  [elementOf(algorithm)]: checksums[algorithm],
})

export function listParts(call: S3Call): Response {
  const { request, store } = call
  const upload = uploadOf(call)
  const most = numberOf(request.query, 'max-parts', 0, 2 ** 31 - 1) ?? 1000
  const marker = numberOf(request.query, 'part-number-marker', 0, 2 ** 31 - 1) ?? 0
  const rest = store.records.parts(upload.id).filter(({ number }) => number > marker)
  const page = rest.slice(0, Math.min(most, 1000))
  const isTruncated = page.length < rest.length
  return xmlResponse({
    ListPartsResult: {
      Bucket: upload.bucket,
      Key: upload.key,
      UploadId: upload.id,
      PartNumberMarker: marker,
      NextPartNumberMarker: isTruncated ? page.at(-1)?.number : undefined,
      MaxParts: Math.min(most, 1000),
      IsTruncated: isTruncated,
      StorageClass: 'STANDARD',
      ChecksumAlgorithm: upload.checksum?.algorithm,
      ChecksumType: upload.checksum?.type,
      Part: page.map(({ number, size, etag, created, checksums }) => ({
        PartNumber: number,
        LastModified: isoTime(created),
        ETag: `"${etag}"`,
        Size: size,
        ...(upload.checksum ? checksumElements(checksums, upload.checksum.algorithm) : {}),
      })),
    },
  })
}
