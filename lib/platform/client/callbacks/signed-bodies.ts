import { createHash } from 'node:crypto'
import { errors, type JWTPayload, type JWTVerifyGetKey, type JWTVerifyOptions, jwtVerify } from 'jose'

/** Reasons for rejecting a callback, by code. Codes are stable; their texts may change. */
export const callbackProblems = {
  'no-token': 'It lacks the header that carries its token.',
  'invalid-token': 'Its token cannot be parsed, lacks a claim, or has another algorithm.',
  'wrong-signature': 'It is signed with another secret or key.',
  'wrong-issuer': 'Another issuer has signed it.',
  'wrong-audience': 'Its audience is another URL.',
  expired: 'Its token has expired.',
  'not-yet-valid': 'Its token is from the future: a clock is wrong.',
  'wrong-body': 'Its token is signed for another body.',
  'unknown-event': 'It has no event that this version can parse.',
} as const

export type CallbackProblem = keyof typeof callbackProblems

/** Thrown when a callback is not authentic or cannot be parsed. `code` has the reason. Answer 403. */
export class CallbackError extends Error {
  override readonly name = 'CallbackError'
  readonly code: CallbackProblem

  constructor(code: CallbackProblem, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** Thrown when the public keys cannot be fetched. The callback may be authentic: answer 503, and it is delivered again. */
export class KeysUnavailableError extends Error {
  override readonly name = 'KeysUnavailableError'
}

/** The parts of a received request that a callback consists of. */
export interface ReceivedCallback {
  /** The header `Authorization`: the token, with or without `Bearer`. */
  readonly authorization: string | undefined
  /** The received bytes. A body that was parsed and serialized again may have another hash. */
  readonly body: string | Uint8Array
}

/** The required properties of a callback's token. */
export interface Expectations {
  /** The secret of an HS256 token, or the function that finds the public key of an EdDSA token. */
  readonly secret: string | JWTVerifyGetKey
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Maximum seconds between the clocks of the sender and the receiver. */
  readonly tolerance: number
  readonly issuer?: string
  readonly audience?: string
  /** Maximum seconds since the signature. */
  readonly maxAge?: number
}

/**
 * Verifies that a token has the expected properties and is signed for this exact body. @throws {@link CallbackError} if not,
 * or {@link KeysUnavailableError} if the public keys cannot be fetched
 */
export async function verifySignedBody(received: ReceivedCallback, expected: Expectations): Promise<void> {
  const token = received.authorization?.replace(/^Bearer /i, '').trim()
  if (!token)
    throw new CallbackError('no-token', 'The callback lacks the header with its token; pass it as it was received.')
  const { iat, payload_hash } = await readToken(token, expected)
  const { now, tolerance, maxAge = Number.POSITIVE_INFINITY } = expected
  const age = now / 1000 - Number(iat)
  if (age < -tolerance)
    throw new CallbackError('not-yet-valid', 'The callback is signed in the future; check the clock of this machine.')
  if (age > maxAge + tolerance)
    throw new CallbackError(
      'expired',
      `The callback was signed more than ${maxAge} s ago (iat) and is no longer accepted.`,
    )
  if (payload_hash !== createHash('sha256').update(received.body).digest('hex'))
    throw new CallbackError('wrong-body', 'The callback is signed for another body; verify the received bytes.')
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
    const message = `The signature of the callback is not valid (${reason}); check its secret.`
    throw new CallbackError(problemOf(cause), message, { cause })
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
