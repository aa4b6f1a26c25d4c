import { z } from 'zod'
import { limits } from './limits.ts'

/** The default name of the header that carries the token. */
export const AUTH_HEADER = 'X-SERVICE-AUTH'
/** Header of the server SDKs of OpenTok. */
export const OPENTOK_AUTH_HEADER = 'X-OPENTOK-AUTH'

/** Insights and some SDKs send a project's key as a number. */
const issuer = z.union([z.string(), z.int().transform(String)])

/** Claims of the HS256 token that authenticates a call. Times are Unix seconds, `exp` at most 300 s after `iat`. */
export const serviceClaims = z
  .looseObject({
    iss: issuer,
    ist: z.enum(['project', 'account']),
    iat: z.int(),
    exp: z.int(),
    jti: z.string().optional(),
  })
  .refine(({ iat, exp }) => exp > iat && exp - iat <= limits.tokenLifetime.value, {
    path: ['exp'],
    message: `must be after iat by at most ${limits.tokenLifetime.value} seconds`,
  })

export const clientRoles = ['publisher', 'subscriber', 'moderator', 'publisheronly'] as const

/** Claims of a client's token, in Unix seconds. Key and session are required; SDKs omit most others, which have defaults. */
export const clientClaims = z
  .looseObject({
    iss: issuer,
    ist: z.literal('project').default('project'),
    iat: z.number().optional(),
    /** @default one day after `iat` */
    exp: z.number().optional(),
    session_id: z.string(),
    role: z.enum(clientRoles).default('publisher'),
    nonce: z.union([z.string(), z.number()]).optional(),
    scope: z.literal('session.connect').default('session.connect'),
    /** Names separated by spaces. */
    initial_layout_class_list: z.string().default(''),
    connection_data: z.string().optional(),
  })
  .transform(({ exp, ...claims }) => {
    const end = exp ?? (claims.iat === undefined ? undefined : claims.iat + limits.clientTokenLifetime.value)
    return { ...claims, ...(end !== undefined && { exp: end }) }
  })

/** A decoded token. Neither its claims nor its signature have been verified. */
export interface DecodedToken {
  /** `t1` is the older form, which some SDKs still create. */
  readonly form: 'jwt' | 't1'
  /** Empty for `t1`. */
  readonly header: Readonly<Record<string, unknown>>
  /** Without nulls. `ist` is read from the header if the claim is absent: the Ruby SDK puts it there. */
  readonly claims: Readonly<Record<string, unknown>>
  /** The text that the signature covers. */
  readonly signed: string
  /** Base64url of a `jwt`'s signature, or the lower-case hexadecimal HMAC-SHA1 of a `t1`. */
  readonly signature: string
}

/** Decodes a service or client token of either form; undefined if it is not one. */
export const decodeToken = (token: string): DecodedToken | undefined =>
  token.startsWith(T1_PREFIX) ? decodeT1(token.slice(T1_PREFIX.length)) : decodeJwt(token)

const T1_PREFIX = 'T1=='

/** Decodes each part once. jose's functions decode one part each, and take as long as verifying the signature. */
function decodeJwt(token: string): DecodedToken | undefined {
  const [head = '', body = '', signature, ...more] = token.split('.')
  const [header, claims] = [decodeObject(head), decodeObject(body)]
  if (signature === undefined || more.length > 0 || !header || !claims) return undefined
  const { ist } = header
  return {
    form: 'jwt',
    header,
    claims: { ...(ist !== undefined && { ist }), ...claims },
    signed: `${head}.${body}`,
    signature,
  }
}

function decodeObject(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString())
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    const hasNull = Object.values(value).includes(null)
    return hasNull ? Object.fromEntries(Object.entries(value).filter(([, claim]) => claim !== null)) : { ...value }
  } catch {
    return undefined
  }
}

/** Decodes base64 or base64url of `partner_id=<key>&sig=<signature>:<data>`. The data is a signed form. */
function decodeT1(encoded: string): DecodedToken | undefined {
  const [, meta, signature, signed] =
    /^(.*?)&sig=([0-9a-f]{40}):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? []
  const iss = new URLSearchParams(meta).get('partner_id')
  if (!iss || signature === undefined || signed === undefined) return undefined
  const { create_time, expire_time, ...fields } = Object.fromEntries(
    [...new URLSearchParams(signed)].filter(([, value]) => value !== ''),
  )
  return {
    form: 't1',
    header: {},
    claims: {
      ...fields,
      iss,
      ...(create_time !== undefined && { iat: Number(create_time) }),
      ...(expire_time !== undefined && { exp: Number(expire_time) }),
    },
    signed,
    signature,
  }
}
