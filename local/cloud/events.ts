import { AwsError, createJsonService } from './aws-json.ts'
import { ACCOUNT, REGION } from './intrinsics.ts'

/** An event on the default bus, in EventBridge's shape. */
export interface BusEvent {
  readonly version: '0'
  readonly id: string
  readonly source: string
  readonly 'detail-type': string
  readonly account: string
  readonly region: string
  readonly time: string
  readonly resources: readonly string[]
  readonly detail: unknown
}

export interface Rule {
  readonly pattern: Pattern
  readonly deliver: (event: BusEvent) => void
}

/** The default bus of EventBridge: what is put on it goes to the targets of every rule whose pattern it matches. */
export interface Events {
  fetch(request: Request): Promise<Response>
  put(event: Pick<BusEvent, 'source' | 'detail-type' | 'detail'> & Partial<BusEvent>): void
  addRule(rule: Rule): void
}

export function createEvents({ now, newId }: { now: () => number; newId: () => string }): Events {
  const rules: Rule[] = []

  const put: Events['put'] = (partial) => {
    const event: BusEvent = {
      version: '0',
      id: newId(),
      account: ACCOUNT,
      region: REGION,
      time: new Date(now()).toISOString().replace(/\.\d+Z$/, 'Z'),
      resources: [],
      ...partial,
    }
    for (const { pattern, deliver } of rules) if (matches(pattern, event)) deliver(event)
  }

  return {
    put,
    addRule(rule) {
      check(rule.pattern)
      rules.push(rule)
    },
    fetch: createJsonService({
      PutEvents({ Entries }) {
        const entries = (Entries ?? []) as Record<string, string>[]
        return { FailedEntryCount: 0, Entries: entries.map((entry) => ({ EventId: putEntry(entry) })) }
      },
    }),
  }

  function putEntry({ EventBusName = 'default', Source = '', DetailType = '', Detail = '{}' }: Record<string, string>) {
    if (EventBusName !== 'default') throw new AwsError('ResourceNotFoundException', `There is no bus ${EventBusName}.`)
    const id = newId()
    put({ id, source: Source, 'detail-type': DetailType, detail: JSON.parse(Detail) })
    return id
  }
}

type Matcher = string | number | boolean | null | { readonly prefix: string } | { readonly suffix: string }
export interface Pattern {
  readonly [field: string]: Pattern | readonly Matcher[]
}

/** Whether an event has, in every field the pattern names, one of the values it lists. */
export function matches(pattern: Pattern, event: unknown): boolean {
  return Object.entries(pattern).every(([field, expected]) => {
    const value = (event as Record<string, unknown> | undefined)?.[field]
    if (!isList(expected)) return matches(expected, value)
    const values = Array.isArray(value) ? value : [value]
    return expected.some((matcher) => values.some((one) => matchesOne(matcher, one)))
  })
}

function matchesOne(matcher: Matcher, value: unknown): boolean {
  if (matcher === null || typeof matcher !== 'object') return matcher === value
  if (typeof value !== 'string') return false
  return 'prefix' in matcher ? value.startsWith(matcher.prefix) : value.endsWith(matcher.suffix)
}

/** @throws Error for a matcher that is not built */
function check(pattern: Pattern): void {
  for (const expected of Object.values(pattern)) {
    if (!isList(expected)) check(expected)
    else
      for (const matcher of expected)
        if (matcher !== null && typeof matcher === 'object' && !('prefix' in matcher) && !('suffix' in matcher))
          throw new Error(`The event pattern's ${Object.keys(matcher).join()} is not known on a laptop.`)
  }
}

const isList = (value: Pattern | readonly Matcher[]): value is readonly Matcher[] => Array.isArray(value)
