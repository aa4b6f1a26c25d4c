import { createHmac } from 'node:crypto'
import type { Clock } from '../../../lib/clock.ts'
import { operations } from '../../../lib/platform/contract/operations/operations.ts'
import { AUTH_HEADER } from '../../../lib/platform/contract/tokens.ts'
import { addresses } from '../environment/addresses.ts'
import type { Platform } from '../environment/platform/platform.ts'

/**
 * Suspends or reactivates the project with the account’s credentials. Returns false if the platform did not accept it.
 */
export async function setProjectStatus(
  { sandbox: { account, project }, fetch }: Platform,
  status: 'SUSPENDED' | 'ACTIVE',
  clock: Clock,
): Promise<boolean> {
  const { method, path } = operations.setProjectStatus
  const url = addresses.platform + path.replace('{apiKey}', project.apiKey)
  const iat = Math.floor(clock.now() / 1000)
  const claims = { iss: account.accountKey, ist: 'account', iat, exp: iat + 60, jti: `${status}-${iat}` }
  const headers = { [AUTH_HEADER]: sign(claims, account.accountSecret), 'content-type': 'application/json' }
  const answer = await fetch(new Request(url, { method, headers, body: JSON.stringify({ status }) })).catch(() => null)
  return answer?.ok ?? false
}

function sign(claims: object, secret: string): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}
