import { createHash } from 'node:crypto'
import { createSigner, equalSignatures, parseTime, SIGNING_ALGORITHM } from '../s3/http/signature.ts'
import { AwsError } from './aws-json.ts'
import { collectBody } from './request-body.ts'

export interface SignedRequestsOptions {
  /** Milliseconds since the epoch. */
  readonly now: () => number
  readonly region: string
  readonly secretOf: (accessKeyId: string) => string | undefined
}

/** Maximum difference of clocks (IAM user guide, "Signature Version 4"). S3 allows more. */
const MAX_SKEW_MS = 5 * 60_000
/** Maximum body size, more than any service accepts. */
const MAX_BODY_BYTES = 2 * 2 ** 20

const AUTHORIZATION = new RegExp(
  [
    `^${SIGNING_ALGORITHM} Credential=(?<accessKeyId>[^/,]+)/(?<day>\\d{8})/(?<region>[^/,]+)/(?<service>[^/,]+)/aws4_request`,
    'SignedHeaders=(?<signedHeaders>[a-z0-9;-]+)',
    'Signature=(?<signature>[0-9a-f]{64})$',
  ].join(', *'),
)

/**
 * Creates a check that a request is signed with a key of this cloud: other users of this machine can reach its
 * loopback, but cannot read the keys. S3 has its own check, for chunks and presigned URLs.
 * @returns the request with its body read
 * @throws AwsError as the services do
 */
export function createSignatureCheck({ now, region, secretOf }: SignedRequestsOptions) {
  return async (request: Request, service: string): Promise<Request> => {
    const authorization = request.headers.get('authorization')
    if (authorization === null)
      throw new AwsError('MissingAuthenticationTokenException', 'Missing Authentication Token', 403)
    const claim = AUTHORIZATION.exec(authorization)?.groups as Claim | undefined
    const time = request.headers.get('x-amz-date') ?? ''
    if (!claim || !time.startsWith(claim.day))
      throw new AwsError('IncompleteSignatureException', `Sign with ${SIGNING_ALGORITHM}, on the day of x-amz-date.`)
    if (claim.service !== service || claim.region !== region)
      throw invalid(`Credential should be scoped to ${region}/${service}.`)
    if (!(Math.abs(now() - parseTime(time)) <= MAX_SKEW_MS))
      throw invalid('Signature expired or not yet current: compare the clocks.')
    const secret = secretOf(claim.accessKeyId)
    if (secret === undefined)
      throw new AwsError('UnrecognizedClientException', 'The security token included in the request is invalid.')

    const body = await collectBody(request, MAX_BODY_BYTES)
    if (!body) throw new AwsError('RequestEntityTooLargeException', 'The request body is too long.', 413)
    const { pathname: path, searchParams: query, host } = new URL(request.url)
    const headers = new Headers(request.headers)
    if (!headers.has('host')) headers.set('host', host)
    const names = claim.signedHeaders.split(';')
    const hash = createHash('sha256').update(body).digest('hex')
    const signer = createSigner(secret, { ...claim, time })
    const signature = signer.signRequest({ method: request.method, path, query, headers }, names, hash)
    if (!equalSignatures(claim.signature, signature) || !isWhole(names, headers))
      throw invalid('The request signature we calculated does not match the signature you provided.')
    const hasBody = request.method !== 'GET' && request.method !== 'HEAD'
    return new Request(request.url, { method: request.method, headers: request.headers, ...(hasBody && { body }) })
  }
}

interface Claim {
  readonly accessKeyId: string
  readonly day: string
  readonly region: string
  readonly service: string
  readonly signedHeaders: string
  readonly signature: string
}

/** Returns true if the identifying headers are signed: the host, the time and, if present, the target. */
const isWhole = (signed: readonly string[], headers: Headers) =>
  ['host', 'x-amz-date', ...(headers.has('x-amz-target') ? ['x-amz-target'] : [])].every((name) =>
    signed.includes(name),
  )

/** Returns the service of a request’s signature; undefined without a signature header. */
export const signedServiceOf = ({ headers }: Request): string | undefined =>
  AUTHORIZATION.exec(headers.get('authorization') ?? '')?.groups?.service

const invalid = (message: string) => new AwsError('InvalidSignatureException', message, 403)
