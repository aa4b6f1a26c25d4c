/** What a call needs: an action on a resource, as `readTemplate` writes both, and the prefix of a list. */
export interface Wanted {
  readonly action: string
  readonly resource: string
  readonly prefix?: string | undefined
}

/** Whether a line of `allowedTo` allows what is wanted: IAM's wildcards, and the one condition that is in use. */
export function allows(line: string, { action, resource, prefix }: Wanted): boolean {
  const [, allowedAction, pattern, prefixes] = /^(\S+) on (\S+)(?: with (.+))?$/.exec(line) ?? []
  if (allowedAction !== action || !isLike(resource, pattern ?? '')) return false
  return action !== 's3:ListBucket' || (prefixes ?? '').split(' ').some((one) => isLike(prefix ?? '', one))
}

/** `*` is any number of characters, `?` just one. */
function isLike(text: string, pattern: string): boolean {
  const expression = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.')
  return new RegExp(`^${expression}$`, 's').test(text)
}
