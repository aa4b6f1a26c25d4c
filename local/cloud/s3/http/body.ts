import {
  ALGORITHMS,
  type Algorithm,
  algorithmNamed,
  createMeter,
  headerOf,
  type MeasuredBody,
  type Sum,
} from '../checksums.ts'
import { S3Error } from '../errors.ts'
import type { Payload } from './authentication.ts'
import { decodeAwsChunked } from './aws-chunked.ts'
import type { S3Request } from './request.ts'

/** The body of a request, which can be read once. It is checked against everything that the client announced. */
export type Body = ReturnType<typeof createBody>

/**
 * Maximum bytes of a document: ten thousand parts with checksums take about 2 MB, a thousand keys to delete up to 6 MB.
 */
const MAX_TEXT_BYTES = 16 * 1024 * 1024
/** Maximum bytes of one PutObject or UploadPart. */
const MAX_BODY_BYTES = 5 * 1024 ** 3
const CHECKSUM = 'x-amz-checksum-'
const MAX_DRAINED_BYTES = 64 * 1024 * 1024

/**
 * Creates the body of a request.
 * @param checksumsAreOf the subject of checksum headers: this body, or an object made elsewhere
 */
export function createBody(request: S3Request, payload: Payload, checksumsAreOf: 'body' | 'object' = 'body') {
  const { headers } = request
  /** The algorithm of the client’s checksum, if any. */
  const claimed = checksumsAreOf === 'body' ? claimedAlgorithm(headers) : undefined
  let measured: MeasuredBody | undefined

  /**
   * Yields the bytes without framing. Throws at the end if they differ from the announced ones, so store nothing
   * before.
   */
  async function* bytes(alsoMeasure: Iterable<Sum> = []): AsyncGenerator<Uint8Array> {
    const length = announcedLength(headers, payload)
    const trailers = new Map<string, string>()
    const meter = createMeter(
      new Set([
        ...alsoMeasure,
        ...(claimed ? [claimed] : []),
        ...(payload.kind === 'hashed' ? ['SHA256' as const] : []),
        ...(headers.has('content-md5') ? ['MD5' as const] : []),
      ]),
    )
    const source = received(request.body())
    const plain = payload.kind === 'chunked' ? decodeAwsChunked(source, payload, trailers) : source
    yield* meter.through(limit(plain, length))
    measured = meter.result()
    if (measured.size !== length) throw incomplete(length, measured.size)
    verify(headers, payload, trailers, claimed, measured)
  }

  return {
    claimed,
    bytes,
    /** Returns the measurements, after the last byte. */
    measured(): MeasuredBody {
      if (!measured) throw new Error('The body has not been read to its end.')
      return measured
    },
    /** Returns the whole body as text, up to 16 MiB. */
    async text(): Promise<string> {
      const chunks: Uint8Array[] = []
      let size = 0
      for await (const chunk of bytes()) {
        size += chunk.length
        if (size > MAX_TEXT_BYTES) throw new S3Error('MalformedXML', 'The document is too long.')
        chunks.push(chunk)
      }
      return Buffer.concat(chunks).toString()
    },
  }
}

function claimedAlgorithm(headers: Headers): Algorithm | undefined {
  const trailer = headers.get('x-amz-trailer')?.trim().toLowerCase()
  if (trailer !== undefined && !trailer.startsWith(CHECKSUM)) {
    throw new S3Error('InvalidRequest', 'x-amz-trailer must name one x-amz-checksum- header.')
  }
  const inHeaders = ALGORITHMS.filter((algorithm) => headers.has(headerOf(algorithm)))
  const [claimed, ...others] = [...inHeaders, ...(trailer ? [algorithmNamed(trailer.slice(CHECKSUM.length))] : [])]
  if (others.length > 0) throw new S3Error('InvalidRequest', 'Expecting a single x-amz-checksum- header.')
  const named = headers.get('x-amz-sdk-checksum-algorithm')
  if (named !== null && algorithmNamed(named) !== claimed) {
    const message =
      'x-amz-sdk-checksum-algorithm specified, but no corresponding x-amz-checksum- or x-amz-trailer header.'
    throw new S3Error('InvalidRequest', message)
  }
  return claimed
}

function announcedLength(headers: Headers, payload: Payload): number {
  const name = payload.kind === 'chunked' ? 'x-amz-decoded-content-length' : 'content-length'
  const text = headers.get(name)
  if (text === null || !/^\d{1,16}$/.test(text)) {
    throw new S3Error('MissingContentLength', `You must provide the length of the body in ${name}.`)
  }
  if (Number(text) > MAX_BODY_BYTES) {
    const fields = { ProposedSize: text, MaxSizeAllowed: String(MAX_BODY_BYTES) }
    throw new S3Error('EntityTooLarge', 'The body exceeds 5 GiB: upload it in parts.', fields)
  }
  return Number(text)
}

/**
 * Yields the received bytes. An interrupted connection is an incomplete body. A body that is left early is read on for
 * a while: closing the socket would keep the client from reading the reason.
 */
async function* received(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const iterator = body[Symbol.asyncIterator]()
  let isOver = false
  const next = async () => {
    const step = await iterator.next().catch((cause) => {
      isOver = true
      throw Object.assign(
        new S3Error('IncompleteBody', 'The connection was interrupted before the body was complete.'),
        {
          cause,
        },
      )
    })
    isOver = step.done === true
    return step
  }
  try {
    for (let step = await next(); !step.done; step = await next()) yield step.value
  } finally {
    for (let left = MAX_DRAINED_BYTES; !isOver && left > 0; ) left -= (await next()).value?.length ?? 0
  }
}

/** Stops as soon as more bytes arrive than announced, before they fill the disk. */
async function* limit(source: AsyncIterable<Uint8Array>, length: number): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of source) {
    size += chunk.length
    if (size > length) throw incomplete(length, size)
    yield chunk
  }
}

const incomplete = (announced: number, size: number) =>
  new S3Error('IncompleteBody', `The body does not have the ${announced} bytes that were announced, but ${size}.`)

function verify(
  headers: Headers,
  payload: Payload,
  trailers: Map<string, string>,
  claimed: Algorithm | undefined,
  { sums }: MeasuredBody,
): void {
  if (payload.kind === 'hashed' && Buffer.from(sums.SHA256 ?? '', 'base64').toString('hex') !== payload.sha256) {
    throw new S3Error(
      'XAmzContentSHA256Mismatch',
      "The provided 'x-amz-content-sha256' header does not match the body.",
    )
  }
  const claimedMd5 = headers.get('content-md5')
  if (claimedMd5 !== null) {
    if (Buffer.from(claimedMd5, 'base64').length !== 16) {
      throw new S3Error('InvalidDigest', 'The Content-MD5 you specified is not valid.')
    }
    if (Buffer.from(claimedMd5, 'base64').toString('hex') !== sums.MD5) {
      throw new S3Error('BadDigest', 'The Content-MD5 you specified did not match what we received.')
    }
  }
  if (!claimed) return
  const value = headers.get(headerOf(claimed)) ?? trailers.get(headerOf(claimed))
  if (value === undefined) throw new S3Error('InvalidRequest', `The announced trailer ${headerOf(claimed)} is missing.`)
  if (value !== sums[claimed]) {
    throw new S3Error('BadDigest', `The ${claimed} you specified did not match the calculated checksum.`)
  }
}
