import type { Evidence } from '../evidence.ts'

const UPLOADS = /^s3 (Put|Create|Upload|Complete|POST)/

/** Checks that the bucket refuses no upload of the platform: its target names a bucket and a key that are right. */
export function acceptedUploads({ trace }: Pick<Evidence, 'trace'>): string[] {
  return trace.flatMap(({ call }) =>
    call?.caller === 'platform' && UPLOADS.test(call.name) && call.status >= 400
      ? [`the bucket answered ${call.status} to the platform’s ${call.name}`]
      : [],
  )
}
