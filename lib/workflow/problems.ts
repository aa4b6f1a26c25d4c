import type { z } from 'zod'

/** What is wrong with a document, each problem with its path in it (`recordings[1].name`). */
export interface Problem {
  readonly path: string
  readonly message: string
}

/** What an issue of a document says, one problem for each unknown field. */
export function problemsOf(issue: z.core.$ZodIssue, document = 'a show'): Problem[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ path: pathOf([...issue.path, key]), message: `is not a field of ${document}` }))
  return [{ path: pathOf(issue.path), message: issue.message }]
}

/** An issue in words that go on from its path; undefined leaves it to the schema's library. */
export function messageOf(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is missing' : `must be ${NOUNS[issue.expected] ?? issue.expected}`
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

const pathOf = (path: readonly PropertyKey[]) =>
  path.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : text ? `${text}.${String(step)}` : String(step)),
    '',
  )
