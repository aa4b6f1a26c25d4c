import { S3Error } from '../errors.ts'

/** Bytes `start` up to `end` (exclusive). */
export interface ObjectRange {
  start: number
  end: number
}

/**
 * Reads a Range header for an object of `size` bytes; undefined for the whole object. Headers other than one byte range
 * are ignored, as RFC 9110 allows and S3 does.
 * @throws S3Error InvalidRange
 */
export function readObjectRange(header: string | null, size: number): ObjectRange | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,16})-(\d{0,16})$/.exec(header?.trim() ?? '') ?? []
  if (first === '' && last === '') return undefined
  if (first === '') {
    if (Number(last) === 0 || size === 0) throw unsatisfiable(header ?? '', size)
    return { start: Math.max(0, size - Number(last)), end: size }
  }
  if (last !== '' && Number(last) < Number(first)) return undefined
  if (Number(first) >= size) throw unsatisfiable(header ?? '', size)
  return { start: Number(first), end: last === '' ? size : Math.min(Number(last) + 1, size) }
}

/** Reads x-amz-copy-source-range, which must be `bytes=first-last` within the object. */
export function readCopyRange(header: string, size: number): ObjectRange {
  const [, first, last] = /^bytes=(\d{1,16})-(\d{1,16})$/.exec(header) ?? []
  if (first === undefined || last === undefined || Number(first) > Number(last)) {
    throw new S3Error('InvalidArgument', 'x-amz-copy-source-range must be bytes=first-last.')
  }
  if (Number(last) >= size) {
    throw new S3Error('InvalidArgument', `Range specified is not valid for source object of size: ${size}.`)
  }
  return { start: Number(first), end: Number(last) + 1 }
}

const unsatisfiable = (range: string, size: number) =>
  new S3Error('InvalidRange', 'The requested range is not satisfiable.', {
    RangeRequested: range,
    ActualObjectSize: String(size),
  })
