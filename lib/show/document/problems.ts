import type { z } from 'zod'
import { nearestName } from './fields/nearest-name.ts'

/** A problem of a document, with its path (`recordings[1].name`). */
export interface Problem {
  readonly path: string
  readonly message: string
}

/** Returns the problems of a document, each once. @param document noun for messages */
export function problemsIn(issues: readonly z.core.$ZodIssue[], document = 'a show'): Problem[] {
  const relevant = issues.filter(
    (issue) => !isUnsafe(issue) || !issues.some((one) => one !== issue && isAt(issue, one)),
  )
  const problems = relevant.flatMap((issue) => problemsOf(issue, document))
  return [...new Map(problems.map((problem) => [`${problem.path} ${problem.message}`, problem])).values()]
}

/** Matches a number that is too big to be exact: the field's own limit is more precise. */
const isUnsafe = (issue: z.core.$ZodIssue) => issue.code === 'too_big' && issue.maximum === Number.MAX_SAFE_INTEGER
const isAt = (one: z.core.$ZodIssue, other: z.core.$ZodIssue) => pathOf(one.path) === pathOf(other.path)

/** Returns one problem for each unknown field, and for a union those of the nearest alternative. */
function problemsOf(issue: z.core.$ZodIssue, document: string): Problem[] {
  if (issue.code === 'unrecognized_keys') {
    const suggestions = issue.message.split(SEPARATOR)
    return issue.keys.map((key, index) => ({
      path: pathOf([...issue.path, key]),
      message: [`is not a field of ${document}`, ...(suggestions[index] ? [suggestions[index]] : [])].join(': '),
    }))
  }
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

/** Separates the suggestions for several unknown fields, of which zod reports one issue. */
const SEPARATOR = '\n'

/** Returns a message that continues the path of an issue; undefined for the default message of zod. */
export function messageOf(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => suggestionFor(key, issue)).join(SEPARATOR)
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

/** Returns the field that was probably meant by an unknown one. It is empty if no field of the object is near. */
function suggestionFor(key: string, { inst }: Pick<z.core.$ZodRawIssue, 'inst'>): string {
  const { shape = {} } = (inst?._zod.def ?? {}) as { readonly shape?: object }
  const meant = nearestName(key, Object.keys(shape))
  return meant === undefined ? '' : `did you mean ${meant}?`
}

/** Returns `a whole number` for a text in place of an integer too. */
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
  record: 'an object',
  string: 'a text',
}
const LIMITED: Readonly<Record<string, string>> = { array: 'have', string: 'have' }
const UNITS: Readonly<Record<string, string>> = { array: ' entries', string: ' characters' }

/** Returns a path as text: `recordings[1].name`. */
export const pathOf = (path: readonly PropertyKey[]) =>
  path.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : text ? `${text}.${String(step)}` : String(step)),
    '',
  )
