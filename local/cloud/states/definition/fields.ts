import { DefinitionError } from './errors.ts'
import { isExpression } from './expressions.ts'

interface Range {
  readonly min: number
  readonly max: number
}

/** Reads one object of a definition. Errors name its location. */
export type Fields = ReturnType<typeof createFields>

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

export function createFields(value: unknown, where: string) {
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
    /** Adds the location to a DefinitionError of `act`. */
    wrap<T>(act: () => T): T {
      try {
        return act()
      } catch (error) {
        if (error instanceof DefinitionError) throw new DefinitionError(`${where}: ${error.message}`)
        throw error
      }
    },
    allow(...fields: string[]): void {
      const unknown = Object.keys(raw).find((field) => !fields.includes(field))
      if (unknown === undefined) return
      throw complain(
        unknown,
        NOT_BUILT.has(unknown) ? 'is not implemented here' : 'is not a field of JSONata definitions',
      )
    },
    text: (field: string) => require(field, (value) => typeof value === 'string', 'text'),
    number(field: string, range: Range, isInteger: boolean, otherwise?: number): number {
      if (raw[field] === undefined && otherwise !== undefined) return otherwise
      return require(field, (value) => isWithin(value, range, isInteger), describe(range, isInteger))
    },
    object: (field: string) => require(field, isObject, 'an object'),
    list(field: string, otherwise?: unknown[]): unknown[] {
      if (raw[field] === undefined && otherwise !== undefined) return otherwise
      return require(field, (value): value is unknown[] => Array.isArray(value), 'a list')
    },
    /** Checks the kind of a field. Absent fields and expressions pass. */
    expression: (field: string) => {
      if (!isExpression(raw[field])) throw complain(field, 'must be true, false or an expression in {% %}')
    },
    textOrExpression: (field: string) => optional(field, (value) => typeof value === 'string', 'text'),
    timestampOrExpression: (field: string) =>
      optional(field, (value) => typeof value === 'string' && isTimestamp(value), 'an RFC 3339 timestamp with T and Z'),
    numberOrExpression: (field: string, range: Range, isInteger = false) =>
      optional(field, (value) => isWithin(value, range, isInteger), describe(range, isInteger)),
    listOrExpression: (field: string) => optional(field, Array.isArray, 'a list'),
  }
}
