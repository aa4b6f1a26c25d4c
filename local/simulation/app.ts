import type { ShowDocument } from '../../lib/workflow/show.ts'
import type { Assembly } from '../cloud/assembly.ts'
import type { Issuer } from '../cloud/issuer.ts'
import { addresses } from './addresses.ts'
import type { Outside } from './outside.ts'

export interface PostShowOptions {
  readonly assembly: Assembly
  readonly show: ShowDocument
  readonly issuer: Issuer
  /** Idempotency-Key: the show's id is derived from it. */
  readonly key: string
  readonly now: number
}

/**
 * Posts a show as an event app does, and returns its id.
 * @throws Error with every problem of the document
 */
export async function postShow(app: Outside, { assembly, show, issuer, key, now }: PostShowOptions): Promise<string> {
  const token = await issuer.sign({ sub: 'app' }, { audience: audienceOf(assembly), seconds: 3_600, now })
  const headers = { authorization: `Bearer ${token}`, 'idempotency-key': key, 'content-type': 'application/json' }
  const body = JSON.stringify(show)
  const response = await app.api(new Request(`${addresses.api}/shows`, { method: 'POST', headers, body }))
  const answer = (await response.json()) as Answer
  if (answer.showId !== undefined) return answer.showId
  const problems = answer.problems?.map(({ path, message }) => `${path || 'the show'} ${message}`) ?? []
  throw new Error([answer.detail ?? `The API answered ${response.status}.`, ...problems].join('\n  '))
}

interface Answer {
  readonly showId?: string
  readonly detail?: string
  readonly problems?: readonly { readonly path: string; readonly message: string }[]
}

/** For whom the stack's API wants its tokens. */
function audienceOf({ template }: Assembly): string {
  const authorizers = Object.values(template.Resources).filter(({ Type: type }) => type.endsWith('::Authorizer'))
  const { JwtConfiguration: jwt } = (authorizers[0]?.Properties ?? {}) as { JwtConfiguration?: { Audience: string[] } }
  return jwt?.Audience[0] ?? ''
}
