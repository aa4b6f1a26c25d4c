import { S3Error } from '../errors.ts'

/** A request as S3 sees it, read from any fetch `Request`: nothing here knows of sockets. */
export interface S3Request {
  /** What errors and logs call it. */
  readonly id: string
  readonly method: string
  /** As it was sent, percent-encoded. */
  readonly path: string
  /** Empty for the service itself. */
  readonly bucket: string
  /** Empty for a bucket. */
  readonly key: string
  /** Decoded pairs in the order they were sent. */
  readonly query: URLSearchParams
  readonly headers: Headers
  /** Not to be called unless the body is read: a server gets rid of it more easily while it is untouched. */
  body(): AsyncIterable<Uint8Array>
}

const MAX_KEY_BYTES = 1024

/**
 * Reads a path-style request; throws InvalidURI or KeyTooLongError for a path that names nothing.
 * Keys with `.` or `..` between slashes cannot come in: every fetch Request folds them, so their signature fails.
 */
export function readRequest(request: Request, id: string): S3Request {
  const url = new URL(request.url)
  const [, bucket = '', ...rest] = url.pathname.split('/')
  const key = decode(rest.join('/'))
  if (Buffer.byteLength(key) > MAX_KEY_BYTES) {
    throw new S3Error('KeyTooLongError', `Your key is longer than ${MAX_KEY_BYTES} bytes.`)
  }
  // What the client signed; a Request made in this process may have it only in its address.
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
