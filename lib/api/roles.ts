/** The roles of callers, the least first: each may do what those before it may. */
export const roles = {
  viewer: 'May read everything.',
  operator: 'May also start and control shows, add captions and publish recordings again.',
  admin: 'May also delete and restore recordings, and publish them for everybody.',
} as const satisfies Record<string, string>

export type Role = keyof typeof roles

const ascending = Object.keys(roles) as Role[]

/** Lists the roles that may do what `needed` may, the least first. */
export const rolesFrom = (needed: Role): Role[] => ascending.slice(ascending.indexOf(needed))

/** Returns the most that these roles may do; undefined when there are none. */
export const highestOf = (given: readonly Role[]): Role | undefined =>
  ascending.findLast((role) => given.includes(role))

/** Returns whether a caller of these roles may do what `needed` may. */
export const mayActAs = (needed: Role, given: readonly Role[]): boolean =>
  rolesFrom(needed).some((role) => given.includes(role))

/**
 * The words of a token's claim: a list, or a text of several. API Gateway hands lists on as text, `[a b]`.
 */
export const wordsOf = (claim: unknown): string[] =>
  [claim]
    .flat()
    .flatMap((part) => (typeof part === 'string' ? part.replace(/^\[|\]$/g, '').split(/[\s,]+/) : []))
    .filter(Boolean)
