import { S3Error } from '../errors.ts'
import type { S3Request } from './request.ts'
import {
  createSigner,
  equalSignatures,
  parseTime,
  SIGNING_ALGORITHM,
  type SigningScope,
  type TextSigner,
} from './signature.ts'

/** The signature’s statement about the body. */
export type Payload =
  | { kind: 'unsigned' }
  /** Hexadecimal SHA-256. */
  | { kind: 'hashed'; sha256: string }
  /** aws-chunked. With `seed` every chunk is signed, starting from it. */
  | { kind: 'chunked'; trailer: boolean; signed?: { signer: TextSigner; seed: string } }

/** The facts by which requests are checked. */
export interface Authority {
  /** Milliseconds since the epoch. */
  now: number
  region: string
  secretOf(accessKeyId: string): string | undefined
}

const MAX_SKEW_MS = 15 * 60_000
const MAX_EXPIRY_S = 7 * 24 * 60 * 60

interface Claim extends SigningScope {
  signedHeaders: string[]
  signature: string
  payloadHash: string
}

/** Checks the signature of a request, and returns its statement about the body. @throws S3Error as S3 does */
export function authenticate(request: S3Request, authority: Authority): Payload {
  const presigned = request.query.has('X-Amz-Signature') || request.query.has('X-Amz-Algorithm')
  const authorization = request.headers.get('authorization')
  if (presigned && authorization !== null) {
    throw new S3Error('InvalidRequest', 'Only one way of signing is allowed: in the query or in a header.')
  }
  if (!presigned && authorization === null) throw new S3Error('AccessDenied', 'Anonymous requests are not allowed.')
  if (request.headers.has('x-amz-security-token') || request.query.has('X-Amz-Security-Token')) {
    throw new S3Error('InvalidToken', 'No session tokens are issued here: sign with a permanent access key.')
  }
  const claim = presigned ? readPresigned(request, authority) : readHeader(request, authorization ?? '', authority)
  if (claim.region !== authority.region) {
    const message = `The region '${claim.region}' is wrong; expecting '${authority.region}'.`
    throw new S3Error(presigned ? 'AuthorizationQueryParametersError' : 'AuthorizationHeaderMalformed', message, {
      Region: authority.region,
    })
  }
  const secret = authority.secretOf(claim.accessKeyId)
  if (secret === undefined) {
    const message = 'The AWS Access Key Id you provided does not exist in our records.'
    throw new S3Error('InvalidAccessKeyId', message, { AWSAccessKeyId: claim.accessKeyId })
  }
  const signer = createSigner(secret, claim)
  if (!equalSignatures(claim.signature, signer.signRequest(request, claim.signedHeaders, claim.payloadHash))) {
    const message =
      'The request signature we calculated does not match the signature you provided. Check your key and signing method.'
    throw new S3Error('SignatureDoesNotMatch', message, { AWSAccessKeyId: claim.accessKeyId })
  }
  requireSignedHeaders(request, claim.signedHeaders)
  return readPayload(claim, signer)
}

function readHeader(request: S3Request, authorization: string, { now }: Authority): Claim {
  const malformed = (message: string) => new S3Error('AuthorizationHeaderMalformed', message)
  const [, algorithm, fields = ''] = /^(\S+)\s+(.*)$/.exec(authorization) ?? []
  if (algorithm !== SIGNING_ALGORITHM) throw malformed(`Only ${SIGNING_ALGORITHM} is accepted.`)
  const parts = new Map(
    fields.split(',').map((field) => {
      const [name = '', value = ''] = field.trim().split(/=(.*)/s)
      return [name, value]
    }),
  )
  const sent = request.headers.get('x-amz-date') ?? ''
  const time = parseTime(sent)
  if (Number.isNaN(time)) throw new S3Error('AccessDenied', 'A signed request needs an x-amz-date of YYYYMMDDTHHMMSSZ.')
  const claim = {
    ...readCredential(parts.get('Credential'), sent, malformed),
    signedHeaders: readSignedHeaders(parts.get('SignedHeaders'), malformed),
    signature: parts.get('Signature') ?? '',
    payloadHash: request.headers.get('x-amz-content-sha256') ?? '',
  }
  if (!claim.payloadHash) throw new S3Error('InvalidRequest', 'Missing required header: x-amz-content-sha256.')
  if (Math.abs(now - time) > MAX_SKEW_MS) {
    const message = 'The difference between the request time and the current time is too large.'
    const fields = { RequestTime: sent, ServerTime: iso(now), MaxAllowedSkewMilliseconds: String(MAX_SKEW_MS) }
    throw new S3Error('RequestTimeTooSkewed', message, fields)
  }
  return claim
}

function readPresigned(request: S3Request, { now }: Authority): Claim {
  const malformed = (message: string) => new S3Error('AuthorizationQueryParametersError', message)
  const { query, headers } = request
  if (query.get('X-Amz-Algorithm') !== SIGNING_ALGORITHM) throw malformed(`Only ${SIGNING_ALGORITHM} is accepted.`)
  const sent = query.get('X-Amz-Date') ?? ''
  const time = parseTime(sent)
  if (Number.isNaN(time)) throw malformed('X-Amz-Date must be YYYYMMDDTHHMMSSZ.')
  const lasts = query.get('X-Amz-Expires') ?? ''
  if (!/^\d{1,6}$/.test(lasts) || Number(lasts) < 1 || Number(lasts) > MAX_EXPIRY_S) {
    throw malformed(`X-Amz-Expires must be 1 to ${MAX_EXPIRY_S} seconds.`)
  }
  const claim = {
    ...readCredential(query.get('X-Amz-Credential'), sent, malformed),
    signedHeaders: readSignedHeaders(query.get('X-Amz-SignedHeaders'), malformed),
    signature: query.get('X-Amz-Signature') ?? '',
    payloadHash: headers.get('x-amz-content-sha256') ?? hashIn(query) ?? 'UNSIGNED-PAYLOAD',
  }
  const expires = time + Number(lasts) * 1000
  if (time > now + MAX_SKEW_MS) throw new S3Error('AccessDenied', 'Request is not valid yet.')
  if (now > expires) {
    const fields = { 'X-Amz-Expires': lasts, Expires: iso(expires), ServerTime: iso(now) }
    throw new S3Error('AccessDenied', 'Request has expired.', fields)
  }
  return claim
}

/** Returns the body’s hash in the query, whose name is case-insensitive, unlike the other parameters. */
const hashIn = (query: URLSearchParams) =>
  [...query].find(([name]) => name.toLowerCase() === 'x-amz-content-sha256')?.[1]

function readCredential(
  text: string | null | undefined,
  time: string,
  malformed: (message: string) => S3Error,
): SigningScope {
  const parts = (text ?? '').split('/')
  const [terminator, service, region, day] = parts.splice(-4).reverse()
  const accessKeyId = parts.join('/')
  if (!accessKeyId || !day || !region || service !== 's3' || terminator !== 'aws4_request') {
    throw malformed('The Credential must be <access key>/<YYYYMMDD>/<region>/s3/aws4_request.')
  }
  if (!time.startsWith(day)) throw malformed(`The Credential is for ${day}, the request was signed at ${time}.`)
  return { accessKeyId, day, region, time }
}

function readSignedHeaders(text: string | null | undefined, malformed: (message: string) => S3Error): string[] {
  const names = (text ?? '').split(';')
  if (!names.every((name) => /^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name))) {
    throw malformed('SignedHeaders must be lower-case names joined by semicolons.')
  }
  return names
}

function requireSignedHeaders({ headers }: S3Request, signedHeaders: string[]): void {
  const unsigned = [...headers.keys()].filter(
    (name) => (name === 'host' || name.startsWith('x-amz-')) && !signedHeaders.includes(name),
  )
  if (unsigned.length > 0) {
    const fields = { HeadersNotSigned: unsigned.join(', ') }
    throw new S3Error('AccessDenied', 'There were headers present in the request which were not signed.', fields)
  }
}

function readPayload({ payloadHash, signature }: Claim, signer: TextSigner): Payload {
  if (/^[0-9a-f]{64}$/.test(payloadHash)) return { kind: 'hashed', sha256: payloadHash }
  const signed = { signer, seed: signature }
  switch (payloadHash) {
    case 'UNSIGNED-PAYLOAD':
      return { kind: 'unsigned' }
    case 'STREAMING-UNSIGNED-PAYLOAD-TRAILER':
      return { kind: 'chunked', trailer: true }
    case `STREAMING-${SIGNING_ALGORITHM}-PAYLOAD`:
      return { kind: 'chunked', trailer: false, signed }
    case `STREAMING-${SIGNING_ALGORITHM}-PAYLOAD-TRAILER`:
      return { kind: 'chunked', trailer: true, signed }
    default: {
      const message =
        'x-amz-content-sha256 must be a SHA-256, UNSIGNED-PAYLOAD, STREAMING-UNSIGNED-PAYLOAD-TRAILER or STREAMING-AWS4-HMAC-SHA256-PAYLOAD(-TRAILER).'
      throw new S3Error('InvalidArgument', message, { ArgumentName: 'x-amz-content-sha256' })
    }
  }
}

const iso = (time: number) => new Date(time).toISOString()
