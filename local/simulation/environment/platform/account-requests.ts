import { createHmac } from 'node:crypto'
import { operations } from '../../../../lib/platform/contract/operations/operations.ts'
import { AUTH_HEADER } from '../../../../lib/platform/contract/tokens.ts'
import { addresses } from '../addresses.ts'
import type { Platform } from './platform.ts'

/** A project as the account sees it. */
export interface AccountProject {
  readonly id: string
  readonly name: string
  readonly status: string
  readonly secret: string
}

interface TokenOptions {
  /** Key of a project or of the account. */
  readonly iss: string
  readonly ist: 'project' | 'account'
  readonly secret: string
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** Creates the token of one request, without the client of the product. */
export function createToken({ iss, ist, secret, now }: TokenOptions): string {
  const iat = Math.floor(now / 1000)
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const claims = { iss, ist, iat, exp: iat + 60, jti: `${ist}-${now}` }
  const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}

type Reading = Pick<Platform, 'sandbox'>
type AccountOperation = 'createProject' | 'deleteProject' | 'listProjects' | 'setProjectStatus'

/** Creates a request of the account for one of its projects. */
export function accountRequest(
  { sandbox: { account } }: Reading,
  operation: AccountOperation,
  { apiKey = '', body, now }: { readonly apiKey?: string; readonly body?: object; readonly now: number },
): Request {
  const { method, path } = operations[operation]
  const token = createToken({ iss: account.accountKey, ist: 'account', secret: account.accountSecret, now })
  return new Request(addresses.platform + path.replace('{apiKey}', apiKey), {
    method,
    headers: { [AUTH_HEADER]: token, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
}

/** Reads the projects of the account, also while the platform is unreachable for others. */
export async function readProjects(platform: Reading, now: number): Promise<AccountProject[]> {
  const answer = await platform.sandbox.fetch(accountRequest(platform, 'listProjects', { now }))
  return (await answer.json()) as AccountProject[]
}

/** Returns true if the platform accepts these credentials of a project. */
export async function accepts(
  { sandbox }: Reading,
  { apiKey, apiSecret }: { readonly apiKey: string; readonly apiSecret: string },
  now: number,
): Promise<boolean> {
  const { path } = operations.listArchives
  const token = createToken({ iss: apiKey, ist: 'project', secret: apiSecret, now })
  const url = `${addresses.platform}${path.replace('{apiKey}', apiKey)}?count=1`
  return (await sandbox.fetch(new Request(url, { headers: { [AUTH_HEADER]: token } }))).ok
}
