import { createHash, createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { S3Request } from './request.ts'

/** Signature Version 4 as S3 computes it (AWS: "Authenticating Requests", Amazon S3 API reference). */
export const SIGNING_ALGORITHM = 'AWS4-HMAC-SHA256'

export interface SigningScope {
  accessKeyId: string
  /** `YYYYMMDD`. */
  day: string
  region: string
  /** Signed service. @default 's3' */
  service?: string
  /** `YYYYMMDDTHHMMSSZ`. */
  time: string
}

type Signed = Pick<S3Request, 'method' | 'path' | 'query' | 'headers'>

/** Signs texts for one scope. */
export type TextSigner = ReturnType<typeof createSigner>

export function createSigner(secret: string, { day, region, service = 's3', time }: SigningScope) {
  const key = signingKey(secret, [day, region, service, 'aws4_request'])
  const scope = `${day}/${region}/${service}/aws4_request`
  const sign = (stringToSign: string) => createHmac('sha256', key).update(stringToSign).digest('hex')
  return {
    sign,
    signRequest: (request: Signed, signedHeaders: string[], payloadHash: string) =>
      sign(
        [SIGNING_ALGORITHM, time, scope, sha256(canonicalRequest(request, signedHeaders, payloadHash, service))].join(
          '\n',
        ),
      ),
    /** Signs a chunk or trailer together with the previous signature. */
    signNext: (kind: 'PAYLOAD' | 'TRAILER', previous: string, hashes: string[]) =>
      sign([`${SIGNING_ALGORITHM}-${kind}`, time, scope, previous, ...hashes].join('\n')),
  }
}

/** Recent signing keys. One serves all requests of its key, service and day, and takes longer to derive than to use. */
const signingKeys = new Map<string, KeyObject>()
const MAX_SIGNING_KEYS = 16

function signingKey(secret: string, scope: readonly string[]): KeyObject {
  const name = [secret, ...scope].join('/')
  const known = signingKeys.get(name)
  if (known) return known
  let bytes = Buffer.from(`AWS4${secret}`)
  for (const part of scope) bytes = createHmac('sha256', bytes).update(part).digest()
  const key = createSecretKey(bytes)
  if (signingKeys.size >= MAX_SIGNING_KEYS) signingKeys.clear()
  signingKeys.set(name, key)
  return key
}

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

export function equalSignatures(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

function canonicalRequest(request: Signed, signedHeaders: string[], payloadHash: string, service: string): string {
  // Unlike other services, S3 encodes the path once, and as it was sent: with `..` and doubled slashes.
  const encodePart = service === 's3' ? encode : (text: string) => encode(encode(text))
  const headers = signedHeaders.map((name) => `${name}:${collapse(request.headers.get(name) ?? '')}\n`)
  return [
    request.method,
    request.path
      .split('/')
      .map((segment) => encodePart(decodeURIComponent(segment)))
      .join('/'),
    canonicalQuery(request.query),
    headers.join(''),
    signedHeaders.join(';'),
    payloadHash,
  ].join('\n')
}

function canonicalQuery(query: URLSearchParams): string {
  return [...query]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => [encode(name), encode(value)] as const)
    .sort(([a, x], [b, y]) => compare(a, b) || compare(x, y))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

const collapse = (value: string) => value.trim().replace(/ +/g, ' ')

/** Encodes by RFC 3986. `encodeURIComponent` follows RFC 2396. */
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)

/** Parses `YYYYMMDDTHHMMSSZ`; NaN for other texts. */
export const parseTime = (text: string) =>
  Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
