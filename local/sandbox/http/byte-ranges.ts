import { Readable } from 'node:stream'
import type { Context } from 'hono'
import type { ByteRange } from '../media/media.ts'
import type { Variables } from './router.ts'

export interface ServedFile {
  readonly type: string
  /** Bytes. */
  readonly size: number
  /** Entity tag without quotes, which changes whenever the bytes do. */
  readonly tag: string
  readonly cacheControl: string
  open(range?: ByteRange): Readable
}

/**
 * Answers a GET or HEAD for a file with all of it or one range (RFC 9110 section 14), as an object store does. A list of
 * several ranges is answered with the whole file, which the RFC permits.
 */
export function serveFile(c: Context<Variables>, { type, size, tag, cacheControl, open }: ServedFile): Response {
  const etag = `"${tag}"`
  const headers = { 'content-type': type, 'cache-control': cacheControl, 'accept-ranges': 'bytes', etag }
  if (c.req.method === 'HEAD') return c.body(null, 200, { ...headers, 'content-length': String(size) })
  const range = matchesIfRange(c, etag) ? parseRange(c.req.header('range'), size) : undefined
  if (range === 'unsatisfiable')
    return c.json({ code: 416, message: `The range is not in the file: it has ${size} bytes.` }, 416, {
      'accept-ranges': 'bytes',
      'content-range': `bytes */${size}`,
    })
  const given = range ?? (size > 0 ? { start: 0, end: size - 1 } : undefined) // bounds a file that still grows
  const body = Readable.toWeb(open(given)) as ReadableStream
  if (!range) return c.body(body, 200, { ...headers, 'content-length': String(size) })
  const { start, end } = range
  return c.body(body, 206, {
    ...headers,
    'content-length': String(end - start + 1),
    'content-range': `bytes ${start}-${end}/${size}`,
  })
}

/** Returns true if the range applies: `If-Range` names this version of the file. */
const matchesIfRange = (c: Context<Variables>, etag: string) => (c.req.header('if-range') ?? etag) === etag

/** Returns undefined, for the whole file, if the header is absent or is not a single range. */
function parseRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header?.replaceAll(' ', '') ?? '') ?? []
  if (first === '' && last === '') return undefined
  const [start, end] = first === '' ? [Math.max(0, size - Number(last)), size - 1] : [Number(first), endOf(last, size)]
  if (first !== '' && last !== '' && Number(last) < start) return undefined // invalid by the RFC
  return start < size && end >= start ? { start, end } : 'unsatisfiable'
}

const endOf = (last: string, size: number) => (last === '' ? size - 1 : Math.min(Number(last), size - 1))
