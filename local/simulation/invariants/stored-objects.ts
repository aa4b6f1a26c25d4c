import { createHash } from 'node:crypto'
import { GetObjectCommand, ListObjectVersionsCommand, type ObjectVersion, S3Client } from '@aws-sdk/client-s3'
import { parseArchiveKey } from '../../../lib/show/state/keys.ts'
import { signByClock } from '../../cloud/functions/in-process-handler.ts'
import { FACTS_BYTES } from '../environment/media/media-facts.ts'
import { awsClientConfig } from '../environment/services.ts'
import type { World } from '../world.ts'

export interface ObjectEvidence {
  readonly text: string
  readonly size: number
  /** SHA-256 in base64. */
  readonly sha256: string
}

/** One version of an object, also of one that was replaced. */
export interface VersionEvidence extends ObjectEvidence {
  readonly key: string
  readonly versionId: string
}

export async function readObjects({ cloud, clock, observer: { storage } }: World) {
  const s3 = new S3Client(awsClientConfig(cloud.aws, cloud.credentials))
  signByClock(s3, clock)
  const bucket = { Bucket: storage.bucket }
  const read = async ({ Key, VersionId }: ObjectVersion) => {
    const answer = await s3.send(new GetObjectCommand({ ...bucket, Key, VersionId }))
    return (await answer.Body?.transformToByteArray()) ?? new Uint8Array()
  }
  const objects = new Map<string, ObjectEvidence>()
  const versions: VersionEvidence[] = []
  const formerObjects: { key: string; text: string }[] = []
  for (let next: { KeyMarker?: string | undefined; VersionIdMarker?: string | undefined } | undefined = {}; next; ) {
    const page: VersionsPage = await s3.send(new ListObjectVersionsCommand({ ...bucket, ...next }))
    for (const version of page.Versions ?? []) {
      const { Key: key = '', VersionId: versionId = '', IsLatest: isLatest } = version
      const isArchive = parseArchiveKey(key) !== undefined
      const bytes = await read(version)
      const text = Buffer.from(isArchive ? bytes.subarray(0, FACTS_BYTES) : bytes).toString()
      const object = { text, size: bytes.length, sha256: isArchive || isLatest ? sha256Of(bytes) : '' }
      versions.push({ key, versionId, ...object })
      if (isLatest) objects.set(key, object)
      else formerObjects.push({ key, text })
    }
    next = page.IsTruncated ? { KeyMarker: page.NextKeyMarker, VersionIdMarker: page.NextVersionIdMarker } : undefined
  }
  return { objects, formerObjects, versions }
}

type VersionsPage = {
  readonly Versions?: ObjectVersion[] | undefined
  readonly IsTruncated?: boolean | undefined
  readonly NextKeyMarker?: string | undefined
  readonly NextVersionIdMarker?: string | undefined
}

const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('base64')
