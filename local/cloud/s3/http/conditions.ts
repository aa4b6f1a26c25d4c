import { S3Error } from '../errors.ts'
import type { ObjectRecord } from '../store/records.ts'

/** Names of the four conditions; copying prefixes them. */
type Condition = 'if-match' | 'if-none-match' | 'if-modified-since' | 'if-unmodified-since'

/**
 * Checks a conditional read in the order of RFC 9110, 13.2.2: a matching tag outweighs a date.
 * @returns 'unchanged' if the read answers 304
 * @throws S3Error PreconditionFailed
 */
export function checkRead(object: ObjectRecord, headers: Headers, prefix = ''): 'changed' | 'unchanged' {
  const sent = (name: Condition) => headers.get(prefix + name)
  const written = Math.floor(object.created / 1000) * 1000
  const match = sent('if-match')
  const unmodified = parseDate(sent('if-unmodified-since'))
  if (match !== null && !includes(match, object.etag)) throw failed(`${prefix}if-match`)
  if (match === null && unmodified !== undefined && written > unmodified) throw failed(`${prefix}if-unmodified-since`)

  const noneMatch = sent('if-none-match')
  const modified = parseDate(sent('if-modified-since'))
  if (noneMatch !== null) return includes(noneMatch, object.etag) ? 'unchanged' : 'changed'
  return modified !== undefined && written <= modified ? 'unchanged' : 'changed'
}

/** Returns true if If-Range is absent or matches the object. Otherwise the reader gets the whole object. */
export function mayBePart({ etag, created }: ObjectRecord, headers: Headers): boolean {
  const sent = headers.get('if-range')
  return sent === null || sent === `"${etag}"` || Date.parse(sent) === Math.floor(created / 1000) * 1000
}

/** Checks a conditional write against the current object. Call it in the same turn as the write. */
export function checkWrite(current: ObjectRecord | undefined, headers: Headers): void {
  const noneMatch = headers.get('if-none-match')
  if (noneMatch !== null && noneMatch !== '*') {
    throw new S3Error('NotImplemented', 'A write takes If-None-Match only with the value *.')
  }
  if (noneMatch !== null && current) throw failed('if-none-match')
  const match = headers.get('if-match')
  if (match === null) return
  if (!current) throw new S3Error('NoSuchKey', 'The specified key does not exist.')
  if (!includes(match, current.etag)) throw failed('if-match')
}

/** Checks a conditional delete against the current version (S3 user guide, "How to perform conditional deletes"). */
export function checkDelete(current: ObjectRecord | undefined, match: string | null): void {
  if (match === null) return
  if (!current) throw new S3Error('NoSuchKey', 'The specified key does not exist.')
  if (current.isMarker || !includes(match, current.etag)) throw failed('if-match')
}

export const failed = (condition: string) =>
  new S3Error('PreconditionFailed', 'At least one of the pre-conditions you specified did not hold.', {
    Condition: condition,
  })

function includes(list: string, etag: string): boolean {
  return list
    .split(',')
    .map((each) =>
      each
        .trim()
        .replace(/^W\//, '')
        .replace(/^"(.*)"$/, '$1'),
    )
    .some((each) => each === '*' || each === etag)
}

/** Parses a date. An invalid one is ignored (RFC 9110, 13.1.3). */
function parseDate(text: string | null): number | undefined {
  const time = text === null ? Number.NaN : Date.parse(text)
  return Number.isNaN(time) ? undefined : time
}
