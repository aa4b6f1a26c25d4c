/** Operands of comparisons, by their names in patterns. */
interface Operands {
  readonly prefix: string
  readonly suffix: string
  readonly exists: boolean
  readonly 'anything-but': readonly string[]
}

type Comparison = { [Name in keyof Operands]: Readonly<Record<Name, Operands[Name]>> }[keyof Operands]
type Matcher = string | number | boolean | null | Comparison

const isText = (value: unknown): value is string => typeof value === 'string'

/** Checks and comparisons of operands. A missing field has the value undefined. */
const COMPARISONS: {
  readonly [Name in keyof Operands]: {
    readonly takes: (operand: unknown) => boolean
    readonly matches: (operand: Operands[Name], value: unknown) => boolean
  }
} = {
  prefix: { takes: isText, matches: (prefix, value) => isText(value) && value.startsWith(prefix) },
  suffix: { takes: isText, matches: (suffix, value) => isText(value) && value.endsWith(suffix) },
  // Leaves only
  exists: {
    takes: (operand) => typeof operand === 'boolean',
    matches: (exists, value) => (exists ? value !== undefined && !isObject(value) : value === undefined),
  },
  'anything-but': {
    takes: (operand) => Array.isArray(operand) && operand.length > 0 && operand.every(isText),
    matches: (others, value) => value !== undefined && !isObject(value) && !others.includes(value as string),
  },
}

/** An event pattern of EventBridge: for each field the values that match. */
export interface Pattern {
  readonly [field: string]: Pattern | readonly Matcher[]
}

/** @throws Error for a value that is not a pattern, and for an unsupported comparison */
export function checkPattern(pattern: unknown, path = 'event pattern'): asserts pattern is Pattern {
  if (!isObject(pattern)) throw new Error(`The ${path} must be an object or a list of values.`)
  if (Object.keys(pattern).length === 0) throw new Error(`The ${path} names no field.`)
  for (const [field, expected] of Object.entries(pattern)) {
    const inner = `${path}’s ${field}`
    if (field.startsWith('$')) throw new Error(`The ${inner} is not supported locally.`)
    if (!Array.isArray(expected)) checkPattern(expected, inner)
    else if (expected.length === 0) throw new Error(`The ${inner} lists no value.`)
    else for (const matcher of expected) checkMatcher(matcher, inner)
  }
}

function checkMatcher(matcher: unknown, path: string): void {
  if (Array.isArray(matcher)) throw new Error(`The ${path} must be a list of values, not of lists.`)
  if (!isObject(matcher)) return
  const [name = '', ...others] = Object.keys(matcher)
  const isKnown = Object.hasOwn(COMPARISONS, name) && others.length === 0
  if (!isKnown || !COMPARISONS[name as keyof Operands].takes(matcher[name]))
    throw new Error(`The ${path} asks for ${JSON.stringify(matcher)}, which is not supported locally.`)
}

/**
 * Returns true when an event has, in every field the pattern names, one of the values it lists. Of a list any member
 * will do. A dotted name is the same as nested names, in patterns and in events.
 * Source: EventBridge user guide, "Considerations when creating event patterns".
 */
export const matches = (pattern: Pattern, event: unknown): boolean =>
  matchesNested(nestedOnce(pattern) as Pattern, nestedOnce(event))

/** Patterns and events with nested names. Each is compared many times. */
const nestedForms = new WeakMap<object, unknown>()

function nestedOnce(value: unknown): unknown {
  if (!isObject(value)) return value
  const known = nestedForms.get(value)
  if (known !== undefined) return known
  const nested = hasDottedName(value) ? nestDottedNames(value) : value
  nestedForms.set(value, nested)
  return nested
}

function hasDottedName(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some(hasDottedName)
  return Object.keys(value).some(
    (name) => name.includes('.') || hasDottedName((value as Record<string, unknown>)[name]),
  )
}

function matchesNested(pattern: Pattern, event: unknown): boolean {
  return Object.entries(pattern).every(([field, expected]) => {
    const value = isObject(event) && Object.hasOwn(event, field) ? event[field] : undefined
    const values = Array.isArray(value) ? value : [value]
    return values.some((one) =>
      isList(expected) ? expected.some((matcher) => matchesOne(matcher, one)) : matchesNested(expected, one),
    )
  })
}

function matchesOne(matcher: Matcher, value: unknown): boolean {
  if (matcher === null || typeof matcher !== 'object') return matcher === value
  const [[name, operand] = []] = Object.entries(matcher)
  return COMPARISONS[name as keyof Operands].matches(operand as never, value)
}

/** Returns the value with each dotted name replaced by nested ones; a field with several values becomes their list. */
function nestDottedNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(nestDottedNames)
  if (!isObject(value)) return value
  const nested: Record<string, unknown> = {}
  for (const [name, inner] of Object.entries(value)) {
    const [first = '', ...rest] = name.split('.')
    const one = rest.reduceRight<unknown>((below, part) => ({ [part]: below }), nestDottedNames(inner))
    nested[first] = Object.hasOwn(nested, first) ? merge(nested[first], one) : one
  }
  return nested
}

function merge(one: unknown, other: unknown): unknown {
  if (!isObject(one) || !isObject(other)) return [one, other].flat()
  const merged = { ...one }
  for (const [name, value] of Object.entries(other))
    merged[name] = Object.hasOwn(merged, name) ? merge(merged[name], value) : value
  return merged
}

const isList = (value: Pattern | readonly Matcher[]): value is readonly Matcher[] => Array.isArray(value)

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
