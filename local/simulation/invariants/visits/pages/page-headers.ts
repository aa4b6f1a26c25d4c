import { addresses } from '../../../environment/addresses.ts'
import type { Visit } from '../../../visits/visitor.ts'

/** Headers of every page, beside its content policy. */
const HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'x-content-type-options': 'nosniff',
  'strict-transport-security': 'max-age=31536000',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-cache',
}

/** Returns the names of headers that a page lacks or has with another value. @param policy sources by directive, as expected */
export function wrongHeaders(
  { headers }: Pick<Visit, 'headers'>,
  policy: Readonly<Record<string, readonly string[]>>,
  more: Readonly<Record<string, string>> = {},
): string[] {
  const wrong = Object.entries({ ...HEADERS, ...more }).filter(([name, value]) => headers[name] !== value)
  const given = policyIn(headers['content-security-policy'])
  const directives = new Set([...Object.keys(policy), ...Object.keys(given)])
  return [
    ...wrong.map(([name]) => name),
    ...[...directives]
      .filter((name) => sorted(policy[name]) !== sorted(given[name]))
      .map((name) => `${name} in its policy (${sorted(given[name])})`),
  ]
}

const sorted = (sources: readonly string[] | undefined) => sources?.toSorted().join(' ') ?? 'none given'

const policyIn = (text = ''): Record<string, string[]> =>
  Object.fromEntries(
    text.split('; ').map((directive) => {
      const [name = '', ...sources] = directive.split(' ')
      return [name, sources]
    }),
  )

/**
 * Returns the content policy of a page (docs/threat-model.md): its own scripts and styles, files of the bucket, no strings as markup. The player
 * reads through a `blob:` URL, and a broadcast is on any server with the scheme of the bucket.
 */
export function policyOf({
  cover,
  isLive,
  ancestors,
}: {
  readonly cover: string | undefined
  readonly isLive: boolean
  readonly ancestors: string
}): Record<string, readonly string[]> {
  const live = isLive ? [new URL(addresses.aws).protocol] : []
  return {
    ...closed(ancestors),
    'script-src': ["'self'"],
    'img-src': ["'self'", 'data:', addresses.aws, ...(cover === undefined ? [] : [new URL(cover).origin])],
    'media-src': ['blob:', addresses.aws, ...live],
    'connect-src': ["'self'", addresses.aws, ...live],
    'require-trusted-types-for': ["'script'"],
  }
}

/** Returns the content policy of a page without scripts and files. */
export const refusalPolicyOf = (ancestors: string): Record<string, readonly string[]> => ({
  ...closed(ancestors),
  'img-src': ['data:'],
})

const closed = (ancestors: string) => ({
  'default-src': ["'none'"],
  'style-src': ["'self'"],
  'base-uri': ["'none'"],
  'form-action': ["'none'"],
  'frame-ancestors': ancestors.split(' '),
})
