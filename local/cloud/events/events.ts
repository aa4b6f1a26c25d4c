import { AwsError, type JsonOperation, parseObject } from '../endpoint/aws-json.ts'
import { ACCOUNT, REGION } from '../intrinsics.ts'
import { checkPattern, matches, type Pattern } from './pattern.ts'

/** An event on a bus, in EventBridge's shape. */
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

export interface NewEvent extends Pick<BusEvent, 'source' | 'detail-type' | 'detail'> {
  /** Milliseconds since the epoch. @default now */
  readonly time?: number
  readonly resources?: readonly string[]
}

export interface Rule {
  /** Name of its bus. @default the default bus */
  readonly bus?: string
  readonly pattern: Pattern
  /** Must not throw. */
  readonly deliver: (event: BusEvent) => void
}

type Entry = Readonly<Record<string, unknown>>

/** The buses of EventBridge. An event goes to the targets of each rule that matches it. */
export type EventBuses = ReturnType<typeof createEventBuses>

const DEFAULT_BUS = 'default'
const MAX_ENTRIES = 10
/** EventBridge quotas, "PutEvents entry size". */
const MAX_ENTRY_BYTES = 2 ** 20
const ENTRY_MEMBERS = ['EventBusName', 'Source', 'DetailType', 'Detail', 'Resources', 'Time']

export const busArn = (name: string) => `arn:aws:events:${REGION}:${ACCOUNT}:event-bus/${name}`

export function createEventBuses({ now, newId }: { now: () => number; newId: () => string }) {
  const rulesOf = new Map<string, Rule[]>([[DEFAULT_BUS, []]])

  const putOn = (bus: string, { time = now(), ...event }: NewEvent): string => {
    const id = newId()
    const whole = toBusEvent(event, { id, time })
    for (const { pattern, deliver } of [...(rulesOf.get(bus) ?? [])]) if (matches(pattern, whole)) deliver(whole)
    return id
  }

  /** Reads a bus by name or ARN. @throws AwsError for an unknown one */
  const readBus = ({ EventBusName: text = DEFAULT_BUS }: Entry): string => {
    const name = [...rulesOf.keys()].find((one) => text === one || text === busArn(one))
    if (name === undefined) throw new AwsError('InvalidArgument', `There is no bus ${text}.`)
    return name
  }

  /**
   * Puts events. Refused entries are reported in their place, and the others are delivered.
   * @throws AwsError when the request is not valid
   */
  const putEvents = ({ Entries }: { Entries: readonly Entry[] }) => {
    if (!Array.isArray(Entries) || Entries.length < 1 || Entries.length > MAX_ENTRIES)
      throw new AwsError('ValidationException', `Entries must be a list of 1 to ${MAX_ENTRIES} events.`)
    if (Buffer.byteLength(JSON.stringify(Entries)) > MAX_ENTRY_BYTES)
      throw new AwsError('ValidationException', 'Total size of the entries in the request is over the limit.')
    const answers = Entries.map((entry: Entry): Entry => {
      try {
        return { EventId: putOn(readBus(entry), readEntry(entry)) }
      } catch (error) {
        if (!(error instanceof AwsError)) throw error
        return { ErrorCode: error.name, ErrorMessage: error.message }
      }
    })
    return { FailedEntryCount: answers.filter(({ ErrorCode }) => ErrorCode).length, Entries: answers }
  }

  return {
    /** Puts an event on the default bus, as AWS does with its own, and returns its id. */
    put: (event: NewEvent) => putOn(DEFAULT_BUS, event),
    putEvents,
    /** Adds a bus beside the default one. */
    addBus(name: string): void {
      rulesOf.set(name, [])
    },
    /** @throws Error for an unsupported pattern or an unknown bus */
    addRule(rule: Rule): void {
      checkPattern(rule.pattern)
      const rules = rulesOf.get(rule.bus ?? DEFAULT_BUS)
      if (!rules) throw new Error(`There is no bus ${rule.bus}.`)
      rules.push(rule)
    },
    /** Removes a rule that was added, if it is there. */
    removeRule(rule: Rule): void {
      const rules = rulesOf.get(rule.bus ?? DEFAULT_BUS) ?? []
      if (rules.includes(rule)) rules.splice(rules.indexOf(rule), 1)
    },
    readBus,
    /** The operations of AWS’s JSON protocol that put events. */
    operations: {
      PutEvents: { takes: ['Entries'], run: (input) => putEvents(input as { Entries: Entry[] }) },
    } satisfies Record<string, JsonOperation>,
  }
}

/** Returns an event in EventBridge’s format, whose times are whole seconds. */
export function toBusEvent(
  { resources = [], ...event }: Omit<NewEvent, 'time'>,
  { id, time }: { id: string; time: number },
): BusEvent {
  const stamp = new Date(time).toISOString().replace(/\.\d+Z$/, 'Z')
  return { version: '0', id, ...event, account: ACCOUNT, time: stamp, region: REGION, resources }
}

/** @throws AwsError with EventBridge’s code for the entry */
function readEntry(entry: Entry): NewEvent {
  const unknown = Object.keys(entry).find((name) => !ENTRY_MEMBERS.includes(name))
  if (unknown) throw new AwsError('InvalidArgument', `${unknown} is not supported locally.`)
  const source = text(entry, 'Source')
  if (source.startsWith('aws.')) throw new AwsError('NotAuthorizedForSourceException', 'Not authorized for the source.')
  const resources = (entry.Resources ?? []) as string[]
  const time = typeof entry.Time === 'number' ? { time: entry.Time * 1000 } : {}
  return { source, 'detail-type': text(entry, 'DetailType'), detail: readDetail(entry), resources, ...time }
}

function text(entry: Entry, name: string): string {
  const value = entry[name]
  if (typeof value === 'string' && value) return value
  throw new AwsError('InvalidArgument', `Parameter ${name} is not valid. Reason: ${name} is a required argument.`)
}

function readDetail(entry: Entry): object {
  const detail = parseObject(text(entry, 'Detail'))
  if (!detail) throw new AwsError('MalformedDetail', 'Detail is malformed.')
  return detail
}
