import type { StateError } from '../tasks/state-errors.ts'
import { describeStateError } from '../tasks/state-errors.ts'
import type { TaskOutput } from '../tasks/tasks.ts'
import type { Manifest } from './manifest/manifest.ts'
import { OTHER_HASH } from './manifest-document.ts'

/** A file that has arrived, as far as it has been looked into. */
interface ArrivedFile {
  readonly etag: string
  /** Null where that failed. */
  readonly inspection: Pick<
    TaskOutput<'inspectRecording'>,
    'size' | 'facts' | 'record' | 'composite' | 'streams'
  > | null
  /** Null as long as they are pending. */
  readonly hashes: { readonly sha256: string } | null
  /** Why it could not be published. */
  readonly failure: StateError | null
}

/** Seconds: records give whole ones, rounded. */
const ROUNDING = 0.55

/** Returns whether a file has come in the place of another one that is published, and nobody has accepted it yet. */
export const isUnacceptedReplacement = (etag: string, published: Manifest | undefined): published is Manifest =>
  published !== undefined &&
  published.status !== 'failed' &&
  published.source.etag !== etag &&
  !(published.withheld?.etag === etag && published.withheld.acceptedAt !== undefined)

/**
 * Returns why a file must not take the place of the published one: a sentence for each difference from the platform's record.
 * Whoever has the upload key can put any file under the key of an archive; the record cannot be changed with it.
 */
export function reasonsToWithhold(file: ArrivedFile, published: Manifest | undefined): string[] {
  if (!isUnacceptedReplacement(file.etag, published)) return []
  const { inspection, hashes, failure } = file
  if (failure) return [describeStateError(failure)]
  if (hashes && hashes.sha256 === published.source.sha256) return []
  const record = inspection?.record
  if (!inspection || !record) return ['The platform does not know this archive.']
  // A composite's duration is not that of the record.
  const duration = inspection.streams.length > 0 || inspection.composite ? undefined : inspection.facts?.duration
  return [
    ...(inspection.size === record.size
      ? []
      : [`It has ${inspection.size} bytes; the platform recorded ${record.size}.`]),
    ...(duration === undefined || Math.abs(duration - record.duration) <= ROUNDING
      ? []
      : [`It lasts ${duration.toFixed(2)} s; the platform recorded ${record.duration} s.`]),
    ...(hashes ? differencesInContent(hashes.sha256, record, published) : []),
  ]
}

/** Where the platform states no hash, a file of the same size as the published one is as good as that, and no better. */
function differencesInContent(
  sha256: string,
  record: { readonly size: number; readonly sha256sum?: string | null | undefined },
  published: Manifest,
): string[] {
  if (record.sha256sum) return Buffer.from(record.sha256sum, 'base64').toString('hex') === sha256 ? [] : [OTHER_HASH]
  return published.source.size === record.size
    ? ['The platform states no SHA-256, and its content is not what was published.']
    : []
}
