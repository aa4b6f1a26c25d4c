import { parseArchiveKey } from '../../../../lib/show/state/keys.ts'
import { isReplaced } from '../../chaos/replace-file.ts'
import { TRUNCATED_FILE } from '../../environment/platform/file-damage.ts'
import type { Evidence } from '../evidence.ts'
import { writesOf } from './writes.ts'

/**
 * Checks that every file of an archive in the bucket, also a replaced one, has the bytes that the platform recorded.
 * Excepted are uploads of files that are truncated on the platform, and files that the simulation has replaced.
 */
export function storedBytes({ versions, files, trace }: Pick<Evidence, 'versions' | 'files' | 'trace'>): string[] {
  const writes = writesOf(trace)
  const isTruncating = trace.some(({ fault }) => fault === TRUNCATED_FILE)
  return versions.flatMap(({ key, versionId, size, sha256 }) => {
    const file = files.get(parseArchiveKey(key)?.archiveId ?? '')
    if (!file || (file.size === size && file.sha256 === sha256)) return []
    if (size < file.size && isReplaced(key, trace)) return []
    const writer = writes.get(versionId)?.caller ?? 'an unknown caller'
    if (isTruncating && writer === 'platform' && size < file.size) return []
    return [`${writer} stored ${size} bytes as ${key}, which differ from the ${file.size} bytes that were recorded`]
  })
}
