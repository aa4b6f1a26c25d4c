import { DefinitionError } from './errors.ts'
import { isExpression } from './expressions.ts'

interface Range {
  readonly min: number
  readonly max: number
}

/** Reads one object of a definition. Errors name its location. */
export interface Fields {
  readonly raw: Readonly<Record<string, unknown>>
  readonly where: string
  complain(field: string, problem: string): DefinitionError
  /** Adds the location to a DefinitionError of `act`. */
  wrap<T>(act: () => T): T
  /** Refuses all other fields. */
  allow(...fields: string[]): void
  text(field: string): string
  number(field: string, range: Range, isInteger: boolean, otherwise?: number): number
  object(field: string): Record<string, unknown>
  list(field: string, otherwise?: unknown[]): unknown[]
  /** Checks the kind of a field. Absent fields and expressions pass. */
  expression(field: string): void
  textOrExpression(field: string): void
  timestampOrExpression(field: string): void
  numberOrExpression(field: string, range: Range, isInteger?: boolean): void
  listOrExpression(field: string): void
}

/** RFC 3339 with a capital T, and a capital Z or an offset, as the Amazon States Language requires. */
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

export const isTimestamp = (text: string): boolean => TIMESTAMP.test(text) && !Number.isNaN(Date.parse(text))

/** Fields of JSONata definitions that this interpreter does not support. It refuses unknown fields as AWS does. */
const NOT_BUILT: ReadonlySet<string> = new Set([
  'HeartbeatSeconds',
  'Credentials',
  'ItemReader',
  'ItemBatcher',
  'ResultWriter',
  'Label',
  'ExecutionType',
  'ReaderConfig',
])

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

export function createFields(value: unknown, where: string): Fields {
  if (!isObject(value)) throw new DefinitionError(`${where} must be an object`)
  const raw = value
  const complain = (field: string, problem: string) => new DefinitionError(`${where}: field '${field}' ${problem}`)
  const require = <T>(field: string, matches: (value: unknown) => value is T, what: string): T => {
    const value = raw[field]
    if (!matches(value)) throw complain(field, `must be ${what}`)
    return value
  }
  const isWithin = (value: unknown, range: Range, isInteger: boolean): value is number =>
    typeof value === 'number' && value >= range.min && value <= range.max && (!isInteger || Number.isInteger(value))
  const describe = (range: Range, isInteger: boolean) =>
    `${isInteger ? 'an integer' : 'a number'} from ${range.min} to ${range.max}`
  const optional = (field: string, matches: (value: unknown) => boolean, what: string) => {
    const value = raw[field]
    if (value !== undefined && !isExpression(value) && !matches(value))
      throw complain(field, `must be ${what} or an expression in {% %}`)
  }

  return {
    raw,
    where,
    complain,
    wrap(act) {
      try {
        return act()
      } catch (error) {
        if (error instanceof DefinitionError) throw new DefinitionError(`${where}: ${error.message}`)
        throw error
      }
    },
    allow(...fields) {
      const unknown = Object.keys(raw).find((field) => !fields.includes(field))
      if (unknown === undefined) return
      throw complain(
        unknown,
        NOT_BUILT.has(unknown) ? 'is not implemented here' : 'is not a field of JSONata definitions',
      )
    },
    text: (field) => require(field, (value) => typeof value === 'string', 'text'),
    number(field, range, isInteger, otherwise) {
      if (raw[field] === undefined && otherwise !== undefined) return otherwise
      return require(field, (value) => isWithin(value, range, isInteger), describe(range, isInteger))
    },
    object: (field) => require(field, isObject, 'an object'),
    list(field, otherwise) {
      if (raw[field] === undefined && otherwise !== undefined) return otherwise
      return require(field, (value): value is unknown[] => Array.isArray(value), 'a list')
    },
    expression: (field) => {
      if (!isExpression(raw[field])) throw complain(field, 'must be true, false or an expression in {% %}')
    },
    textOrExpression: (field) => optional(field, (value) => typeof value === 'string', 'text'),
    timestampOrExpression: (field) =>
      optional(field, (value) => typeof value === 'string' && isTimestamp(value), 'an RFC 3339 timestamp with T and Z'),
    numberOrExpression: (field, range, isInteger = false) =>
      optional(field, (value) => isWithin(value, range, isInteger), describe(range, isInteger)),
    listOrExpression: (field) => optional(field, Array.isArray, 'a list'),
  }
}
