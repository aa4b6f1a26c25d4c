type Matcher = string | number | boolean | null | { readonly prefix: string } | { readonly suffix: string }

/** What events a rule is for, as EventBridge writes it: for each field the values it may have. */
export interface Pattern {
  readonly [field: string]: Pattern | readonly Matcher[]
}

/** @throws Error for whatever is no pattern, or asks for a comparison that is not built */
export function checkPattern(pattern: unknown, path = 'event pattern'): asserts pattern is Pattern {
  if (!isObject(pattern)) throw new Error(`The ${path} must be an object or a list of values.`)
  if (Object.keys(pattern).length === 0) throw new Error(`The ${path} names no field.`)
  for (const [field, expected] of Object.entries(pattern)) {
    const inner = `${path}’s ${field}`
    if (field.startsWith('$')) throw new Error(`The ${inner} is not known on a laptop.`)
    if (!Array.isArray(expected)) checkPattern(expected, inner)
    else if (expected.length === 0) throw new Error(`The ${inner} lists no value.`)
    else for (const matcher of expected) checkMatcher(matcher, inner)
  }
}

function checkMatcher(matcher: unknown, path: string): void {
  if (Array.isArray(matcher)) throw new Error(`The ${path} must be a list of values, not of lists.`)
  if (!isObject(matcher)) return
  const [name = '', ...others] = Object.keys(matcher)
  const isKnown = (name === 'prefix' || name === 'suffix') && typeof matcher[name] === 'string' && others.length === 0
  if (!isKnown) throw new Error(`The ${path} asks for ${JSON.stringify(matcher)}, which is not known on a laptop.`)
}

/** Whether an event has, in every field the pattern names, one of the values it lists. Of lists any member will do. */
export function matches(pattern: Pattern, event: unknown): boolean {
  return Object.entries(pattern).every(([field, expected]) => {
    const value = isObject(event) && Object.hasOwn(event, field) ? event[field] : undefined
    const values = Array.isArray(value) ? value : [value]
    return values.some((one) =>
      isList(expected) ? expected.some((matcher) => matchesOne(matcher, one)) : matches(expected, one),
    )
  })
}

function matchesOne(matcher: Matcher, value: unknown): boolean {
  if (matcher === null || typeof matcher !== 'object') return matcher === value
  if (typeof value !== 'string') return false
  return 'prefix' in matcher ? value.startsWith(matcher.prefix) : value.endsWith(matcher.suffix)
}

const isList = (value: Pattern | readonly Matcher[]): value is readonly Matcher[] => Array.isArray(value)

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
