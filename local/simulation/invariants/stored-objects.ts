import { createHash } from 'node:crypto'
import { parseArchiveKey } from '../../../lib/show/state/keys.ts'
import { FACTS_BYTES } from '../environment/media/media-facts.ts'
import type { World } from '../world.ts'

export interface ObjectEvidence {
  readonly text: string
  readonly size: number
  /** SHA-256 in base64. */
  readonly sha256: string
  readonly tags?: Readonly<Record<string, string>>
}

/** One version of an object, also of one that was replaced. */
export interface VersionEvidence extends ObjectEvidence {
  readonly key: string
  readonly versionId: string
}

export async function readObjects({ cloud: { s3 }, observer: { storage } }: World) {
  const objects = new Map<string, ObjectEvidence>()
  const versions: VersionEvidence[] = []
  const formerObjects: { key: string; text: string }[] = []
  for await (const { key, versionId, bytes, isLatest, tags } of s3.versions(storage.bucket)) {
    const isArchive = parseArchiveKey(key) !== undefined
    const text = (isArchive && key.endsWith('.mp4') ? bytes.subarray(0, FACTS_BYTES) : bytes).toString()
    const object = { text, size: bytes.length, tags, sha256: isArchive || isLatest ? sha256Of(bytes) : '' }
    versions.push({ key, versionId, ...object })
    if (isLatest) objects.set(key, object)
    else formerObjects.push({ key, text })
  }
  return { objects, formerObjects, versions }
}

const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('base64')
