import { createHmac, timingSafeEqual } from 'node:crypto'
import type { DecodedToken } from '../../../lib/platform/contract/tokens.ts'

/** Seconds by which a caller's clock may differ from ours. */
const TOLERATED_SKEW = 5

/**
 * Returns whether a secret signed a token. Node's own HMAC answers at once; jose's goes through another thread, which
 * costs more than everything else about a request.
 */
export function isSignedBy(secret: string, { form, header, signed, signature }: DecodedToken): boolean {
  if (header.crit !== undefined) return false
  const expected =
    form === 't1'
      ? createHmac('sha1', secret).update(signed).digest('hex')
      : createHmac('sha256', secret).update(signed).digest('base64url')
  return isEqual(signature, expected)
}

/** Returns which claim about time does not hold now, in milliseconds since the epoch. */
export function timeProblem(
  { exp, nbf, iat }: Readonly<Record<string, unknown>>,
  now: number,
): 'exp' | 'nbf' | 'iat' | undefined {
  const seconds = Math.floor(now / 1000)
  if (Number(exp) <= seconds - TOLERATED_SKEW) return 'exp'
  if (Number(nbf) > seconds + TOLERATED_SKEW) return 'nbf'
  if (Number(iat) > now / 1000 + TOLERATED_SKEW) return 'iat'
  return undefined
}

/** Compares texts in a time that does not depend on their difference. */
export function isEqual(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
