/** The roles of callers, the least first: each includes those before it. */
export const roles = {
  viewer: 'May read everything.',
  operator: 'May also start and control shows, add captions and publish recordings again.',
  admin: 'May also delete and restore recordings, and make them public.',
} as const satisfies Record<string, string>

export type Role = keyof typeof roles

const ascending = Object.keys(roles) as Role[]

/** Returns the roles that include `needed`, the least first. */
export const rolesFrom = (needed: Role): Role[] => ascending.slice(ascending.indexOf(needed))

/** Returns the highest of some roles; undefined when there are none. */
export const highestOf = (given: readonly Role[]): Role | undefined =>
  ascending.findLast((role) => given.includes(role))

/** Returns whether one of the roles includes `needed`. */
export const mayActAs = (needed: Role, given: readonly Role[]): boolean =>
  rolesFrom(needed).some((role) => given.includes(role))

/** Returns the words of a token's claim, which is a list or a text. API Gateway passes lists as text: `[a b]`. */
export const wordsOf = (claim: unknown): string[] =>
  [claim]
    .flat()
    .flatMap((part) => (typeof part === 'string' ? part.replace(/^\[|\]$/g, '').split(/[\s,]+/) : []))
    .filter(Boolean)
