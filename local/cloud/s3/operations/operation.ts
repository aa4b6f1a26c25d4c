import { S3Error } from '../errors.ts'
import type { Body } from '../http/body.ts'
import type { S3Request } from '../http/request.ts'
import { writeXml, type XmlContent } from '../http/xml.ts'
import type { ObjectRecord, UploadRecord } from '../store/records.ts'
import type { ObjectStore } from '../store/store.ts'
import { readable, type Versioning } from '../store/versions.ts'

/** Reason for an object’s creation, as in its event. */
export type Reason = 'PutObject' | 'CopyObject' | 'CompleteMultipartUpload'

/** One authenticated request on its way through an operation. */
export interface S3Call {
  readonly request: S3Request
  readonly body: Body
  readonly store: ObjectStore
  /** Versioning of the bucket that the request names. */
  readonly versioning: Versioning
  readonly region: string
  /** Milliseconds since the epoch. */
  now(): number
  /** Announces an object. Call it once the object is stored. */
  announce(object: ObjectRecord, reason: Reason): void
}

/** One thing the endpoint does. What a request carries beyond `query` and `headers` is refused by name. */
export interface S3Operation {
  name: string
  method: string
  on: 'service' | 'bucket' | 'object'
  /** Query parameters that must be there and make it this operation. */
  needs?: string[]
  /** The one header that must be there and makes it this operation. */
  needsHeader?: string
  /** Query parameters it understands besides. */
  query?: string[]
  /** `x-amz-` headers it understands; a trailing `*` stands for any ending. */
  headers?: string[]
  /** Subject of checksum headers. @default the body of the request */
  checksumsAreOf?: 'object'
  run(call: S3Call): Response | Promise<Response>
}

export function xmlResponse(root: Record<string, XmlContent>, headers: Record<string, string> = {}): Response {
  const text = writeXml(root)
  return new Response(text, {
    headers: { 'content-type': 'application/xml', 'content-length': String(Buffer.byteLength(text)), ...headers },
  })
}

export function emptyResponse(status: number, headers: Record<string, string> = {}): Response {
  return new Response(null, { status, headers: status === 200 ? { 'content-length': '0', ...headers } : headers })
}

/** Returns the object the request names, in the version it names; throws as `readable` does. */
export const objectOf = ({ request: { bucket, key, query }, store }: S3Call): ObjectRecord =>
  readable(store.records, bucket, key, query.get('versionId'))

/** Returns the upload the request names; throws NoSuchUpload, also when it is for another key. */
export function uploadOf({ request, store }: S3Call): UploadRecord {
  const upload = store.records.upload(request.query.get('uploadId') ?? '')
  if (upload?.bucket !== request.bucket || upload.key !== request.key) {
    throw new S3Error('NoSuchUpload', 'The specified upload does not exist: it may have been completed or aborted.')
  }
  return upload
}

/** Returns a whole number within bounds from the query; throws InvalidArgument. */
export function numberOf(query: URLSearchParams, name: string, lowest: number, highest: number): number | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  if (!/^\d{1,10}$/.test(text) || Number(text) < lowest || Number(text) > highest) {
    const fields = { ArgumentName: name, ArgumentValue: text }
    throw new S3Error('InvalidArgument', `${name} must be an integer from ${lowest} to ${highest}.`, fields)
  }
  return Number(text)
}

/** Returns the ISO time; S3 keeps whole seconds; listings show them with zero milliseconds. */
export const isoTime = (time: number) => new Date(Math.floor(time / 1000) * 1000).toISOString()
export const httpTime = (time: number) => new Date(time).toUTCString()
