import { S3Error } from '../errors.ts'

/** An S3 request, read from any fetch `Request`. */
export interface S3Request {
  /** Request id of errors and logs. */
  readonly id: string
  readonly method: string
  /** The path as it was sent, percent-encoded. */
  readonly path: string
  /** Empty for the service itself. */
  readonly bucket: string
  /** Empty for a bucket. */
  readonly key: string
  /** Decoded pairs in the order they were sent. */
  readonly query: URLSearchParams
  readonly headers: Headers
  /** Returns the body. Call it only to read it: a server discards an untouched body more easily. */
  body(): AsyncIterable<Uint8Array>
}

const MAX_KEY_BYTES = 1024

/**
 * Reads a path-style request. Keys with `.` or `..` between slashes cannot arrive: a fetch Request normalizes them, so
 * that their signature fails.
 * @throws S3Error InvalidURI or KeyTooLongError for an invalid path
 */
export function readRequest(request: Request, id: string): S3Request {
  const url = new URL(request.url)
  const [, bucket = '', ...rest] = url.pathname.split('/')
  const key = decode(rest.join('/'))
  if (Buffer.byteLength(key) > MAX_KEY_BYTES) {
    throw new S3Error('KeyTooLongError', `Your key is longer than ${MAX_KEY_BYTES} bytes.`)
  }
  // The host that the client signed. A Request of this process may have it in its URL only.
  const headers = request.headers.has('host') ? request.headers : withHost(request.headers, url)
  return {
    id,
    method: request.method,
    path: url.pathname,
    bucket: decode(bucket),
    key,
    query: url.searchParams,
    headers,
    body: () => request.body ?? nothing(),
  }
}

function withHost(headers: Headers, { host }: URL): Headers {
  const copy = new Headers(headers)
  copy.set('host', host)
  return copy
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new S3Error('InvalidURI', 'The path is not valid percent-encoded UTF-8.')
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
