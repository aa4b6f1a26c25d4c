import { createHash } from 'node:crypto'
import { errors, type JWTPayload, type JWTVerifyGetKey, type JWTVerifyOptions, jwtVerify } from 'jose'

/** Why a callback is not to be believed: codes stay as they are, messages may be put better. */
export const callbackProblems = {
  'no-token': 'It lacks the header that carries its token.',
  'invalid-token':
    'Its token cannot be read, lacks a claim, or is signed by another algorithm than the one that is expected.',
  'wrong-signature': 'It is signed with another secret or key.',
  'wrong-issuer': 'Another issuer has signed it.',
  'wrong-audience': 'It is meant for another URL.',
  expired: 'Its token is too old.',
  'not-yet-valid': 'Its token is from the future: a clock is wrong.',
  'wrong-body': 'Its token was made for another body.',
  'unknown-event': 'It holds no event that this version reads.',
} as const

export type CallbackProblem = keyof typeof callbackProblems

/** A callback that is not to be believed. */
export class CallbackError extends Error {
  override readonly name = 'CallbackError'
  readonly code: CallbackProblem

  constructor(code: CallbackProblem, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** Thrown when the public keys cannot be fetched: the callback may be genuine, so answer 503 and have it repeated. */
export class KeysUnavailableError extends Error {
  override readonly name = 'KeysUnavailableError'
}

export interface ReceivedCallback {
  /** The header `Authorization`: the token alone or after `Bearer`. */
  readonly authorization: string | undefined
  /** The body as received, byte for byte; parsed and written again it may hash differently. */
  readonly body: string | Uint8Array
}

export interface Expectations {
  /** Of a token in HS256; or finds the public key of one in EdDSA. */
  readonly secret: string | JWTVerifyGetKey
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Seconds the clocks of sender and receiver may differ. */
  readonly tolerance: number
  readonly issuer?: string
  readonly audience?: string
  /** Seconds since it was signed. */
  readonly mostAge?: number
}

/** @throws CallbackError unless a token was made for exactly this body, as it is expected, and is still valid */
export async function verifySignedBody(received: ReceivedCallback, expected: Expectations): Promise<void> {
  const token = received.authorization?.replace(/^Bearer /i, '').trim()
  if (!token)
    throw new CallbackError(
      'no-token',
      'The callback lacks the header that carries its token; hand it over as it came.',
    )
  const { iat, payload_hash } = await readToken(token, expected)
  const { now, tolerance, mostAge = Number.POSITIVE_INFINITY } = expected
  const age = now / 1000 - Number(iat)
  if (age < -tolerance)
    throw new CallbackError('not-yet-valid', 'The callback is signed in the future; check the clock of this machine.')
  if (age > mostAge + tolerance)
    throw new CallbackError(
      'expired',
      `The callback was signed more than ${mostAge} s ago (iat); it is not taken any more.`,
    )
  if (payload_hash !== createHash('sha256').update(received.body).digest('hex'))
    throw new CallbackError(
      'wrong-body',
      'The callback is signed for another body; verify the bytes as they were received.',
    )
}

async function readToken(token: string, expected: Expectations): Promise<JWTPayload> {
  const { secret, now, tolerance, issuer, audience } = expected
  const options: JWTVerifyOptions = {
    requiredClaims: ['iat', 'exp', 'payload_hash'],
    currentDate: new Date(now),
    clockTolerance: tolerance,
    ...(issuer !== undefined && { issuer }),
    ...(audience !== undefined && { audience }),
  }
  try {
    return typeof secret === 'string'
      ? (await jwtVerify(token, new TextEncoder().encode(secret), { ...options, algorithms: ['HS256'] })).payload
      : (await jwtVerify(token, secret, { ...options, algorithms: ['EdDSA'] })).payload
  } catch (cause) {
    if (cause instanceof KeysUnavailableError) throw cause
    const reason = cause instanceof Error ? cause.message : 'unreadable token'
    const words = `The callback is not signed as it must be (${reason}); check its secret.`
    throw new CallbackError(problemOf(cause), words, { cause })
  }
}

function problemOf(cause: unknown): CallbackProblem {
  if (cause instanceof errors.JWSSignatureVerificationFailed || cause instanceof errors.JWKSNoMatchingKey)
    return 'wrong-signature'
  if (cause instanceof errors.JWTExpired) return 'expired'
  if (!(cause instanceof errors.JWTClaimValidationFailed) || cause.reason === 'missing') return 'invalid-token'
  if (cause.claim === 'iss') return 'wrong-issuer'
  return cause.claim === 'aud' ? 'wrong-audience' : 'invalid-token'
}
