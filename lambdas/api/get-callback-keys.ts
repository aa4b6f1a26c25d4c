import type { Services } from '../../lib/services.ts'
import { type ApiEvent, ok } from '../http/request.ts'

/** Seconds: far less than the time between the publication of a new key and its first signature. */
const MAX_AGE = 300

/** Answers `GET /.well-known/jwks.json`: the public keys that verify callbacks to event apps. */
export async function getCallbackKeys(_event: ApiEvent, { callbackKeys }: Pick<Services, 'callbackKeys'>) {
  const answer = ok(await callbackKeys.published())
  return { ...answer, headers: { ...answer.headers, 'cache-control': `public, max-age=${MAX_AGE}` } }
}
