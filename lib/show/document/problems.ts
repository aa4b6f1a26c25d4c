import type { z } from 'zod'

/** What is wrong with a document, each problem with its path in it (`recordings[1].name`). */
export interface Problem {
  readonly path: string
  readonly message: string
}

/** What the issues of a document say, each thing once. @param document what it is, in words */
export function problemsIn(issues: readonly z.core.$ZodIssue[], document = 'a show'): Problem[] {
  const told = issues.filter((issue) => !isUnsafe(issue) || !issues.some((one) => one !== issue && isAt(issue, one)))
  return told.flatMap((issue) => problemsOf(issue, document))
}

/** Too big a number to count with: a field's own limit says more. */
const isUnsafe = (issue: z.core.$ZodIssue) => issue.code === 'too_big' && issue.maximum === Number.MAX_SAFE_INTEGER
const isAt = (one: z.core.$ZodIssue, other: z.core.$ZodIssue) => pathOf(one.path) === pathOf(other.path)

/** One problem for each unknown field, and of what may have several forms those of the form that is meant. */
function problemsOf(issue: z.core.$ZodIssue, document: string): Problem[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ path: pathOf([...issue.path, key]), message: `is not a field of ${document}` }))
  if (issue.code === 'invalid_union') {
    const [nearest, next] = issue.errors
      .filter((issues) => !issues.some(({ code, path }) => code === 'invalid_type' && path.length === 0))
      .map((issues) =>
        problemsIn(
          issues.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] })),
          document,
        ),
      )
      .sort((one, other) => one.length - other.length)
    if (nearest && nearest.length !== next?.length) return nearest
  }
  return [{ path: pathOf(issue.path), message: issue.message }]
}

/** An issue in words that go on from its path; undefined leaves it to the schema's library. */
export function messageOf(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is missing' : `must be ${nounOf(issue)}`
    case 'invalid_key':
      return `is a name that ${issue.issues[0]?.message}`
    case 'invalid_value':
      if (issue.input === undefined) return 'is missing'
      return `must be ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`
    case 'too_small':
      if (issue.minimum === 1 && issue.origin in LIMITED) return 'must not be empty'
      return `must ${LIMITED[issue.origin] ?? 'be'} at least ${issue.minimum}${UNITS[issue.origin] ?? ''}`
    case 'too_big':
      return `must ${LIMITED[issue.origin] ?? 'be'} at most ${issue.maximum}${UNITS[issue.origin] ?? ''}`
    default:
      return undefined
  }
}

/** A text in place of a whole number is told that it must be one, as half a number is. */
function nounOf({ expected, inst }: Extract<z.core.$ZodRawIssue, { code: 'invalid_type' }>) {
  const { format } = (inst?._zod.def ?? {}) as { readonly format?: string }
  return NOUNS[format === 'safeint' ? 'int' : expected] ?? expected
}

const NOUNS: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  object: 'an object',
  string: 'a text',
}
const LIMITED: Readonly<Record<string, string>> = { array: 'have', string: 'have' }
const UNITS: Readonly<Record<string, string>> = { array: ' entries', string: ' characters' }

/** A path as people write it: `recordings[1].name`. */
export const pathOf = (path: readonly PropertyKey[]) =>
  path.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : text ? `${text}.${String(step)}` : String(step)),
    '',
  )
