import { readAttributes } from '../attributes.ts'
import { type Algorithm, algorithmNamed, type ChecksumType } from '../checksums.ts'
import { S3Error } from '../errors.ts'
import type { UploadRecord } from '../store/records.ts'
import { emptyResponse, type S3Call, uploadOf, xmlResponse } from './operation.ts'

export function createMultipartUpload({ request, store, now }: S3Call): Response {
  const { bucket, key, headers } = request
  const checksum = chosenChecksum(headers)
  const upload: UploadRecord = {
    id: String(store.records.nextNumber()).padStart(32, '0'),
    bucket,
    key,
    created: now(),
    ...readAttributes(headers),
    ...(checksum ? { checksum } : {}),
  }
  store.records.addUpload(upload)
  const root = { InitiateMultipartUploadResult: { Bucket: bucket, Key: key, UploadId: upload.id } }
  return xmlResponse(root, checksum && algorithmHeaders(checksum))
}

const algorithmHeaders = ({ algorithm, type }: { algorithm: Algorithm; type: ChecksumType }) => ({
  'x-amz-checksum-algorithm': algorithm,
  'x-amz-checksum-type': type,
})

/** SHA sums exist only composite, CRC64NVME only of the full object; the others default to composite. */
function chosenChecksum(headers: Headers): UploadRecord['checksum'] {
  const name = headers.get('x-amz-checksum-algorithm')
  const type = headers.get('x-amz-checksum-type')
  if (name === null) {
    if (type !== null) throw new S3Error('InvalidRequest', 'x-amz-checksum-type needs x-amz-checksum-algorithm.')
    return undefined
  }
  const algorithm = algorithmNamed(name)
  const onlyType = algorithm.startsWith('SHA') ? 'COMPOSITE' : algorithm === 'CRC64NVME' ? 'FULL_OBJECT' : undefined
  const chosen = type ?? onlyType ?? 'COMPOSITE'
  if ((chosen !== 'COMPOSITE' && chosen !== 'FULL_OBJECT') || (onlyType && chosen !== onlyType)) {
    throw new S3Error('InvalidRequest', `The ${chosen} checksum type cannot be used with the ${algorithm} algorithm.`)
  }
  return { algorithm, type: chosen }
}

export function abortMultipartUpload(call: S3Call): Response {
  const { records } = call.store
  const upload = uploadOf(call)
  call.store.change(records.parts(upload.id), () => records.removeUpload(upload))
  return emptyResponse(204)
}
