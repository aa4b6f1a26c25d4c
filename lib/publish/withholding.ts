import type { StateError } from '../tasks/state-errors.ts'
import { describeStateError } from '../tasks/state-errors.ts'
import type { TaskOutput } from '../tasks/tasks.ts'
import type { Manifest } from './manifest/manifest.ts'
import { OTHER_HASH } from './manifest-document.ts'

/** An uploaded file, as far as it has been inspected. */
interface ArrivedFile {
  readonly etag: string
  /** Null when the inspection failed. */
  readonly inspection: Pick<
    TaskOutput<'inspectRecording'>,
    'size' | 'facts' | 'record' | 'composite' | 'streams'
  > | null
  /** Null while they are pending. */
  readonly hashes: { readonly sha256: string } | null
  /** Why it could not be published. */
  readonly failure: StateError | null
}

/** Seconds: the platform's record has whole ones, rounded. */
const ROUNDING = 0.55

/** Returns whether a file would replace the published one and no operator has accepted it. */
export const isUnacceptedReplacement = (etag: string, published: Manifest | undefined): published is Manifest =>
  published !== undefined &&
  published.status !== 'failed' &&
  published.source.etag !== etag &&
  !(published.withheld?.etag === etag && published.withheld.acceptedAt !== undefined)

/** Returns each difference from the platform's record, which the upload key cannot change, for which the published file stays. */
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

/** Without a hash of the platform, a file with the size of the published one may be another file, so it is not accepted. */
function differencesInContent(
  sha256: string,
  record: { readonly size: number; readonly sha256sum?: string | null | undefined },
  published: Manifest,
): string[] {
  if (record.sha256sum) return Buffer.from(record.sha256sum, 'base64').toString('hex') === sha256 ? [] : [OTHER_HASH]
  return published.source.size === record.size
    ? ['The platform recorded no SHA-256, and its content differs from the published file.']
    : []
}
