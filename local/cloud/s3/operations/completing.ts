import { createHash } from 'node:crypto'
import { ALGORITHMS, type Checksums, combineChecksums, elementOf, headerOf, type ObjectChecksum } from '../checksums.ts'
import { S3Error } from '../errors.ts'
import { checkWrite } from '../http/conditions.ts'
import { readXml } from '../http/xml.ts'
import type { PartRecord, UploadRecord } from '../store/records.ts'
import type { Held } from '../store/store.ts'
import { headersOf, writeObject } from './objects.ts'
import { type S3Call, uploadOf, xmlResponse } from './operation.ts'
import { algorithmOf, MAX_PARTS } from './parts.ts'

const MIN_PART_BYTES = 5 * 1024 ** 2

/** A part as the client names it when it completes the upload. */
interface NamedPart {
  number: number
  etag: string
  checksums: Checksums
}

export async function completeMultipartUpload(call: S3Call): Promise<Response> {
  const { request, body, store } = call
  const { records } = store
  const named = readParts(await body.text())
  const upload = uploadOf(call)
  checkWrite(records.object(request.bucket, request.key), request.headers)
  const all = records.parts(upload.id)
  const parts = choose(named, all, upload)
  const size = parts.reduce((sum, part) => sum + part.size, 0)
  const checksum = sumUp(upload, parts)
  checkWhole(request.headers, checksum, size)

  const content = joined(parts.map((part) => store.hold(part.id)))
  const etag = `${combinedEtag(parts)}-${parts.length}`
  const { headers, tags } = upload
  const object = writeObject(
    call,
    'CompleteMultipartUpload',
    content,
    { size, etag, headers, tags, checksum },
    { parts: all, act: () => records.removeUpload(upload) },
  )
  return xmlResponse(
    {
      CompleteMultipartUploadResult: {
        Location: `/${request.bucket}/${request.key.split('/').map(encodeURIComponent).join('/')}`,
        Bucket: request.bucket,
        Key: request.key,
        ETag: `"${object.etag}"`,
        [elementOf(checksum.algorithm)]: checksum.value,
        ChecksumType: checksum.type,
      },
    },
    headersOf(call, object),
  )
}

function readParts(document: string): NamedPart[] {
  const parts = readXml(document, 'CompleteMultipartUpload')
    .all('Part')
    .map((part) => {
      const sums = ALGORITHMS.map((algorithm) => [algorithm, part.text(elementOf(algorithm))] as const)
      return {
        number: Number(part.text('PartNumber')),
        etag: (part.text('ETag') ?? '').replace(/^"(.*)"$/, '$1'),
        checksums: Object.fromEntries(sums.filter(([, value]) => value !== undefined)),
      }
    })
  if (parts.length === 0 || parts.length > MAX_PARTS) {
    throw new S3Error('MalformedXML', `An upload is completed with 1 to ${MAX_PARTS} parts.`)
  }
  return parts
}

/** Returns the stored parts that the client named. @throws S3Error if one is missing, different or too small */
function choose(named: NamedPart[], stored: PartRecord[], { id, checksum }: UploadRecord): PartRecord[] {
  const byNumber = new Map(stored.map((part) => [part.number, part]))
  if (named.some(({ number }, index) => number <= (named[index - 1]?.number ?? 0))) {
    throw new S3Error('InvalidPartOrder', 'The list of parts was not in ascending order.')
  }
  return named.map(({ number, etag, checksums }, index) => {
    if (checksum?.type === 'COMPOSITE' && checksums[checksum.algorithm] === undefined) {
      const message = `The upload was created using a ${checksum.algorithm.toLowerCase()} checksum. The complete request must include the checksum for each part. It was missing for part ${number} in the request.`
      throw new S3Error('InvalidRequest', message)
    }
    const part = byNumber.get(number)
    const differs = ALGORITHMS.some(
      (each) => checksums[each] !== undefined && checksums[each] !== part?.checksums[each],
    )
    if (!part || part.etag !== etag || differs) {
      const message = 'A part could not be found: it was not uploaded, or its entity tag or checksum is another.'
      throw new S3Error('InvalidPart', message, { UploadId: id, PartNumber: String(number), ETag: etag })
    }
    if (part.size < MIN_PART_BYTES && index < named.length - 1) {
      const message = 'Your proposed upload is smaller than the minimum allowed size.'
      const fields = { ProposedSize: String(part.size), MinSizeAllowed: String(MIN_PART_BYTES) }
      throw new S3Error('EntityTooSmall', message, { ...fields, PartNumber: String(number), ETag: etag })
    }
    return part
  })
}

function sumUp(upload: UploadRecord, parts: PartRecord[]): ObjectChecksum {
  const algorithm = algorithmOf(upload)
  const sums = parts.map(({ size, checksums }) => ({ size, value: checksums[algorithm] ?? '' }))
  return combineChecksums(algorithm, upload.checksum?.type ?? 'FULL_OBJECT', sums)
}

/** Returns the entity tag of a multipart object, an MD5 over those of its parts. */
function combinedEtag(parts: PartRecord[]): string {
  const md5 = createHash('md5')
  for (const { etag } of parts) md5.update(etag, 'hex')
  return md5.digest('hex')
}

function checkWhole(headers: Headers, checksum: ObjectChecksum, size: number): void {
  const type = headers.get('x-amz-checksum-type')
  if (type !== null && type !== checksum.type) {
    const message = `The upload was created using the ${checksum.type} checksum mode. The complete request must use the same checksum mode.`
    throw new S3Error('InvalidRequest', message)
  }
  const expectedSize = headers.get('x-amz-mp-object-size')
  if (expectedSize !== null && Number(expectedSize) !== size) {
    throw new S3Error('InvalidRequest', `x-amz-mp-object-size is ${expectedSize}, but the parts add up to ${size}.`)
  }
  for (const algorithm of ALGORITHMS) {
    const expected = headers.get(headerOf(algorithm))
    if (expected === null) continue
    if (algorithm !== checksum.algorithm || expected.replace(/-\d+$/, '') !== checksum.value.replace(/-\d+$/, '')) {
      throw new S3Error('BadDigest', `The ${algorithm} you specified did not match the calculated checksum.`)
    }
  }
}

function joined(all: Held[]): Held {
  return {
    extents: all.flatMap(({ extents }) => extents),
    async *bytes(memory) {
      for (const held of all) yield* held.bytes(memory)
    },
    release() {
      for (const held of all) held.release()
    },
  }
}
