import type { z } from 'zod'

/** Returns the path and the message of the first issue. They never have the value. */
export function describeSchemaError(error: z.ZodError): { readonly path: string; readonly message: string } {
  const issue = error.issues[0]
  if (!issue) return { path: '', message: 'does not fit' }
  const { path, message } = deepest(issue)
  return { path: path.join('.'), message }
}

/** Returns the issue with the longest path: in a union, it belongs to the alternative that fits best. */
function deepest(issue: z.core.$ZodIssue): { path: PropertyKey[]; message: string } {
  if (issue.code !== 'invalid_union') return issue
  const inner = issue.errors.flatMap((issues) => issues.slice(0, 1)).map(deepest)
  const furthest = inner.reduce((best, next) => (next.path.length > best.path.length ? next : best), {
    path: [] as PropertyKey[],
    message: issue.message,
  })
  return { path: [...issue.path, ...furthest.path], message: furthest.message }
}
