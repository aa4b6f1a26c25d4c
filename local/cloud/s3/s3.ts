import type { Clock } from '../../../lib/clock.ts'
import { readTags } from './attributes.ts'
import { createMeter } from './checksums.ts'
import { createDirectReads } from './direct-reads.ts'
import { S3Error } from './errors.ts'
import { authenticate } from './http/authentication.ts'
import { createBody } from './http/body.ts'
import { checkWrite } from './http/conditions.ts'
import { answerPreflight, type CorsRule, corsHeaders } from './http/cors.ts'
import { readRequest, type S3Request } from './http/request.ts'
import { writeErrorXml } from './http/xml.ts'
import { writeObject } from './operations/objects.ts'
import type { Reason } from './operations/operation.ts'
import { operationFor } from './operations/operations.ts'
import type { ObjectRecord } from './store/records.ts'
import { type ObjectStore, openStore } from './store/store.ts'
import { type Versioning, versionIdOf } from './store/versions.ts'

export type S3 = ReturnType<typeof createS3>

export interface ObjectCreated {
  bucket: string
  /** Milliseconds since the epoch. */
  time: number
  /**
   * Detail of the event on EventBridge (Amazon S3 user guide, "EventBridge event message structure"): keys are not
   * encoded.
   */
  detail: {
    version: '0'
    bucket: { name: string }
    /** `sequencer` is hexadecimal and of one length, so that writes to a key can be put in order as text. */
    object: { key: string; size: number; etag: string; 'version-id'?: string; sequencer: string }
    'request-id': string
    requester: string
    'source-ip-address': string
    reason: Reason
  }
}

export interface S3Options {
  /** Directory of the buckets, used by this process only. @default in memory */
  directory?: string
  clock: Clock
  /** The secret of an access key, undefined for a key that does not exist. */
  secretOf(accessKeyId: string): string | undefined
  /** The one region requests may be signed for; by default `us-east-1`. */
  region?: string
  /** Returns true for an object that may be read without a signature. @default none */
  isPublic?(key: string): boolean
  /** Called with faults that a client sees as InternalError only. @default prints them to standard error */
  onFault?(fault: unknown): void
}

const ACCOUNT = '000000000000'

/** Creates S3 without a socket, as far as the unmodified AWS SDK needs it. */
export function createS3({
  directory,
  clock,
  secretOf,
  region = 'us-east-1',
  isPublic,
  onFault = console.error,
}: S3Options) {
  const store = openStore(directory)
  const listeners: ((event: ObjectCreated) => void)[] = []
  const versionings = new Map<string, Versioning>()
  const corsRules = new Map<string, readonly CorsRule[]>()
  let requests = 0
  let isClosed = false

  const announce = (request: Pick<S3Request, 'id'>, record: ObjectRecord, reason: Reason) => {
    const { bucket, key, size, etag, id, created } = record
    const version = record.isVersion ? { 'version-id': versionIdOf(record) } : {}
    const object = { key, size, etag, ...version, sequencer: hexadecimal(id) }
    const caller = { 'request-id': request.id, requester: ACCOUNT, 'source-ip-address': '127.0.0.1' }
    const detail = { version: '0' as const, bucket: { name: bucket }, object, ...caller, reason }
    for (const listener of listeners) listener({ bucket, time: created, detail })
  }

  const answer = async (raw: Request, id: string): Promise<Response> => {
    const request = readRequest(raw, id)
    const payload =
      isPublic && isAnonymousRead(request) && isPublic(request.key)
        ? ({ kind: 'unsigned' } as const)
        : authenticate(request, { now: clock.now(), region, secretOf })
    const hoisted = hoistHeaders(request)
    const operation = operationFor(hoisted)
    if (operation.on !== 'service' && !store.records.hasBucket(hoisted.bucket)) {
      throw new S3Error('NoSuchBucket', 'The specified bucket does not exist.', { BucketName: hoisted.bucket })
    }
    return operation.run({
      request: hoisted,
      body: createBody(hoisted, payload, operation.checksumsAreOf),
      store,
      versioning: versionings.get(hoisted.bucket),
      region,
      now: clock.now,
      announce: (object, reason) => announce(hoisted, object, reason),
    })
  }

  return {
    /** Answers one path-style request to the S3 REST API, streaming in and out. */
    async fetch(raw: Request): Promise<Response> {
      requests += 1
      const id = hexadecimal(requests)
      const rules = corsRules.get(bucketOf(raw)) ?? []
      const preflight = answerPreflight(raw, rules)
      if (preflight) return preflight
      const response = await answer(raw, id).catch((error: unknown) => {
        if (error instanceof S3Error) return refuse(raw, id, error)
        if (!isClosed) onFault(error)
        return refuse(raw, id, new S3Error('InternalError', 'We encountered an internal error. Please try again.'))
      })
      for (const [header, value] of Object.entries(corsHeaders(raw, rules))) response.headers.set(header, value)
      response.headers.set('x-amz-request-id', id)
      // Clients correct their own clock by it, so it has to be ours.
      response.headers.set('date', new Date(clock.now()).toUTCString())
      return response
    },
    /**
     * Creates a bucket. An existing one keeps its objects.
     * @param versioning versioning from now on
     * @param cors rules for pages of other origins
     * @throws Error for a name that S3 would refuse
     */
    createBucket(name: string, versioning?: Versioning, cors: readonly CorsRule[] = []): void {
      if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name)) {
        throw new Error(`"${name}" is not a bucket name. Use 3 to 63 lower-case letters, digits, dots and hyphens.`)
      }
      store.records.addBucket(name, clock.now())
      versionings.set(name, versioning)
      corsRules.set(name, cors)
    },
    ...createDirectReads(store, (bucket) => versionings.get(bucket)),
    /**
     * Writes an object as PutObject does, without a request. Returns the ETag, quoted, and in a bucket with versions their id.
     * @throws S3Error when a condition is not met
     */
    async write(
      { bucket, key, bytes, contentType, tagging = '' }: ObjectToWrite,
      { ifMatch, ifNoneMatch }: WriteConditions = {},
    ): Promise<{ readonly etag: string; readonly versionId?: string }> {
      const headers = new Headers({ 'content-type': contentType })
      if (ifMatch !== undefined) headers.set('if-match', ifMatch)
      if (ifNoneMatch !== undefined) headers.set('if-none-match', ifNoneMatch)
      checkWrite(store.records.object(bucket, key), headers)
      requests += 1
      const { size, sums, content } = await receiveBytes(store, bytes)
      const request = { id: hexadecimal(requests), bucket, key, headers }
      const versioning = versionings.get(bucket)
      const call = { request, store, versioning, now: clock.now }
      const object = writeObject(
        { ...call, announce: (stored, reason) => announce(request, stored, reason) },
        'PutObject',
        content,
        {
          ...{ headers: { 'content-type': contentType }, tags: readTags(tagging), size, etag: sums.MD5 ?? '' },
          checksum: { algorithm: WRITE_CHECKSUM, type: 'FULL_OBJECT', value: sums[WRITE_CHECKSUM] ?? '' },
        },
      )
      return { etag: `"${object.etag}"`, ...(versioning && { versionId: versionIdOf(object) }) }
    },
    /** Calls `listener` after each object is stored and before its writer is answered; it must not throw. */
    onObjectCreated: (listener: (event: ObjectCreated) => void) => void listeners.push(listener),
    /** Closes the index; requests under way fail, which is then no fault. */
    close() {
      isClosed = true
      store.close()
    },
  }
}

/** An object for `write`. */
interface ObjectToWrite {
  readonly bucket: string
  readonly key: string
  readonly bytes: Uint8Array
  readonly contentType: string
  /** Tags as a query string. @default none */
  readonly tagging?: string | undefined
}

/** Headers of a conditional write. */
interface WriteConditions {
  readonly ifMatch?: string | undefined
  readonly ifNoneMatch?: string | undefined
}

/** The checksum that the AWS SDK sends with a write. */
const WRITE_CHECKSUM = 'CRC32'

async function receiveBytes(store: ObjectStore, bytes: Uint8Array) {
  const meter = createMeter([WRITE_CHECKSUM, 'MD5'])
  const source = (async function* () {
    if (bytes.length > 0) yield bytes
  })()
  const content = await store.receive(meter.through(source))
  return { ...meter.result(), content }
}

const bucketOf = ({ url }: Request) => new URL(url).pathname.split('/')[1] ?? ''

const isAnonymousRead = ({ method, query, headers }: S3Request) =>
  (method === 'GET' || method === 'HEAD') && query.size === 0 && !headers.has('authorization')

const hexadecimal = (number: number) => number.toString(16).toUpperCase().padStart(16, '0')

/**
 * Presigned addresses carry headers as query parameters. Checksums among them are passed over, as S3 does: the SDK signs
 * the one of an empty body, since it has no other yet.
 */
function hoistHeaders(request: S3Request): S3Request {
  if (!request.query.has('X-Amz-Signature')) return request
  const headers = new Headers(request.headers)
  const query = new URLSearchParams()
  for (const [name, value] of request.query) {
    const lower = name.toLowerCase()
    if (!lower.startsWith('x-amz-')) query.append(name, value)
    else if (!SIGNING.test(lower) && !PASSED_OVER.test(lower) && !headers.has(lower)) headers.set(lower, value)
  }
  return { ...request, headers, query }
}

const SIGNING = /^x-amz-(algorithm|credential|date|expires|signedheaders|signature|content-sha256)$/
const PASSED_OVER = /^x-amz-(checksum-(?!mode)|sdk-checksum-)/

function refuse(request: Request, id: string, { code, message, fields, headers: more, status }: S3Error): Response {
  const resource = new URL(request.url).pathname
  const text = writeErrorXml({ Code: code, Message: message, Resource: resource, ...fields, RequestId: id })
  const headers = { 'content-type': 'application/xml', 'content-length': String(Buffer.byteLength(text)), ...more }
  return new Response(request.method === 'HEAD' ? null : text, { status, headers })
}
