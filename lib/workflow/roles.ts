/** What callers of the API may do. */
export const roles = {
  viewer: 'May read everything.',
  operator: 'May do everything.',
} as const satisfies Record<string, string>

export type Role = keyof typeof roles

/** Whether a caller of these roles may do what one of `needed` may. */
export const mayActAs = (needed: Role, given: readonly Role[]): boolean =>
  given.includes('operator') || (needed === 'viewer' && given.includes('viewer'))

/**
 * The words of a token's claim: a list, or a text of several. API Gateway hands lists on as text, `[a b]`.
 */
export const wordsOf = (claim: unknown): string[] =>
  [claim]
    .flat()
    .flatMap((part) => (typeof part === 'string' ? part.replace(/^\[|\]$/g, '').split(/[\s,]+/) : []))
    .filter(Boolean)
