import type { z } from 'zod'

/** Says in words where a value first breaks its schema, without repeating the value. */
export function explain(error: z.ZodError): { readonly path: string; readonly message: string } {
  const issue = error.issues[0]
  if (!issue) return { path: '', message: 'does not fit' }
  const { path, message } = deepest(issue)
  return { path: path.join('.'), message }
}

/** Of a union's alternatives the one that fits furthest tells most. */
function deepest(issue: z.core.$ZodIssue): { path: PropertyKey[]; message: string } {
  if (issue.code !== 'invalid_union') return issue
  const inner = issue.errors.flatMap((issues) => issues.slice(0, 1)).map(deepest)
  const furthest = inner.reduce((best, next) => (next.path.length > best.path.length ? next : best), {
    path: [] as PropertyKey[],
    message: issue.message,
  })
  return { path: [...issue.path, ...furthest.path], message: furthest.message }
}
