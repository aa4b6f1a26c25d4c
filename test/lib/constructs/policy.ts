/** What a call needs: an action on a resource, as `readTemplate` writes both, and the prefix of a list. */
export interface Wanted {
  readonly action: string
  readonly resource: string
  readonly prefix?: string | undefined
}

/** One line of `allowedTo`, or as much of it as names one prefix of lists. */
export interface Right {
  readonly line: string
  readonly action: string
  readonly resource: string
  readonly prefix: string | undefined
}

const LISTS = ['s3:ListBucket', 's3:ListBucketVersions']

/** A line of `allowedTo` as rights that are each needed by themselves. */
export function rightsIn(line: string): Right[] {
  const [, action = '', resource = '', condition = ''] = /^(\S+) on (\S+)(?: with (.+))?$/.exec(line) ?? []
  if (!LISTS.includes(action)) return [{ line, action, resource, prefix: undefined }]
  return condition
    .split(' ')
    .map((prefix) => ({ line: `${action} on ${resource} with ${prefix}`, action, resource, prefix }))
}

/** Whether a right allows what is wanted: IAM's wildcards, and the one condition that is in use. */
export function allows(right: Right, { action, resource, prefix }: Wanted): boolean {
  if (right.action !== action || !patternOf(right.resource).test(resource)) return false
  return right.prefix === undefined || patternOf(right.prefix).test(prefix ?? '')
}

/**
 * Whether a right ends in a wildcard where everything that it is used for ends alike: `shows/*` is too broad when all that is
 * asked for is `shows/<id>/state.json`, and so is `shows/*` + `/*`. One wildcard alone may stand for the one id of a test.
 */
export function isBroaderThan(right: Right, used: readonly Wanted[]): boolean {
  const pattern = right.prefix ?? right.resource
  if (!pattern.endsWith('*')) return false
  const behind = used.map((wanted) => {
    const asked = right.prefix === undefined ? wanted.resource : (wanted.prefix ?? '')
    return (patternOf(pattern).exec(asked)?.at(-1) ?? '').split('/')
  })
  const mayBeAnId = pattern.split('*').length === 2 && behind.some((segments) => segments.length === 1)
  return !mayBeAnId && new Set(behind.map((segments) => segments.at(-1))).size === 1
}

/** `*` is any number of characters, `?` just one. */
function patternOf(pattern: string): RegExp {
  const expression = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '(.*)')
    .replaceAll('?', '.')
  return new RegExp(`^${expression}$`, 's')
}
