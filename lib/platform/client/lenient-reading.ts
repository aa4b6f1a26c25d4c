import { z } from 'zod'
import { fillInOf } from './fill-ins.ts'
import { explain } from './schema-problems.ts'

/** A place in an answer that breaks the contract. Values are never repeated: they may be secret. */
export interface Unreadable {
  /** Dotted, such as `items.3.status`. */
  readonly path: string
  readonly problem: string
}

/** A value in the contract's shape with everything left out of it, or the first needed value that is missing. */
export type LenientReading =
  | { readonly value: unknown; readonly leftOut: readonly Unreadable[] }
  | { readonly missing: Unreadable }

/**
 * Reads a value that breaks its schema as far as callers can use it.
 *
 * Strings and numbers stand in for each other, as do `"true"` and true. Enum values that the contract does not list
 * are kept as strings. An optional value that cannot be read is left out, a list item that cannot be read is skipped.
 * A required value is filled in where the contract defines an empty one (fill-ins.ts), and is an error elsewhere.
 */
export function readLeniently(schema: z.ZodType, value: unknown): LenientReading {
  const leftOut: Unreadable[] = []
  try {
    return { value: read(schema, value, { path: [], leftOut }), leftOut }
  } catch (problem) {
    if (problem instanceof MissingValue) return { missing: problem.unreadable }
    throw problem
  }
}

interface Place {
  readonly path: readonly PropertyKey[]
  readonly leftOut: Unreadable[]
}

class MissingValue extends Error {
  readonly unreadable: Unreadable

  constructor({ path }: Place, problem: string) {
    super(problem)
    this.unreadable = { path: path.join('.'), problem }
  }
}

const within = ({ path, leftOut }: Place, name: PropertyKey): Place => ({ path: [...path, name], leftOut })

function read(schema: z.ZodType, value: unknown, place: Place): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return readUnneeded(schema, value, place)
  if (schema instanceof z.ZodObject) return readObject(schema, value, place)
  if (schema instanceof z.ZodArray) return readArray(schema, value, place)
  if (schema instanceof z.ZodRecord) return readRecord(schema, value, place)
  if (schema instanceof z.ZodUnion) return readUnion(schema, value, place)
  if (schema instanceof z.ZodPipe)
    return check(schema.def.out as z.ZodType, read(schema.def.in as z.ZodType, value, place), place)
  if (schema instanceof z.ZodEnum && isText(value)) return String(value)
  return check(schema, convert(schema, value), place)
}

const isNothing = (value: unknown) => value === undefined || value === null
const isText = (value: unknown) => (typeof value === 'string' && value !== '') || Number.isFinite(value)

function check(schema: z.ZodType, value: unknown, place: Place): unknown {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  if (isNothing(value) || value === '') throw new MissingValue(place, 'is required')
  const { path, message } = explain(parsed.error)
  throw new MissingValue(path ? within(place, path) : place, message)
}

function convert(schema: z.ZodType, value: unknown): unknown {
  const { type } = schema.def
  if (type === 'string' && (typeof value === 'number' || typeof value === 'boolean')) return String(value)
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
  if (type !== 'number') return value
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return schema instanceof z.ZodNumberFormat && typeof number === 'number' ? Math.round(number) : number
}

type Unneeded = z.ZodOptional | z.ZodNullable | z.ZodDefault

function readUnneeded(schema: Unneeded, value: unknown, place: Place): unknown {
  const empties = value === null ? [null, undefined] : [undefined, null]
  const nothing = () => empties.map((one) => schema.safeParse(one)).find(({ success }) => success)?.data
  if (isNothing(value)) return nothing()
  return attempt(() => read(schema.def.innerType as z.ZodType, value, place), value, place, nothing)
}

/** Gives the substitute for what cannot be read, and notes it unless it was empty. */
function attempt(reading: () => unknown, value: unknown, { leftOut }: Place, substitute: () => unknown): unknown {
  const before = leftOut.length
  try {
    return reading()
  } catch (problem) {
    if (!(problem instanceof MissingValue)) throw problem
    leftOut.length = before
    if (value !== '') leftOut.push(problem.unreadable)
    return substitute()
  }
}

function readObject(schema: z.ZodObject, value: unknown, place: Place): unknown {
  if (!isRecord(value)) throw new MissingValue(place, isNothing(value) ? 'is required' : 'must be an object')
  const isLoose = schema.def.catchall instanceof z.ZodUnknown
  const entries = Object.entries(schema.shape).map(([name, field]) => {
    const inner = within(place, name)
    const fillIn = fillInOf(field as z.ZodType)
    const given = value[name]
    if (!fillIn) return [name, read(field as z.ZodType, given, inner)] as const
    if (isNothing(given)) return [name, fillIn(value)] as const
    return [
      name,
      attempt(
        () => read(field as z.ZodType, given, inner),
        given,
        inner,
        () => fillIn(value),
      ),
    ] as const
  })
  const known = Object.fromEntries(entries.filter(([, one]) => one !== undefined))
  const rest = Object.entries(value).filter(([name]) => isLoose && !Object.hasOwn(schema.shape, name))
  return { ...Object.fromEntries(rest), ...known }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An array of a fixed length is one answer, of which nothing may be skipped. */
function readArray(schema: z.ZodArray, value: unknown, place: Place): unknown {
  if (value === null) return check(schema, [], place)
  if (!Array.isArray(value)) throw new MissingValue(place, value === undefined ? 'is required' : 'must be a list')
  const { checks = [] } = schema.def
  const element = schema.def.element as z.ZodType
  if (checks.length > 0) {
    const items = value.map((item, index) => read(element, item, within(place, index)))
    return items.length > 0 ? items : check(schema, items, place)
  }
  const skipped = Symbol('skipped')
  const items = value.map((item, index) => {
    const inner = within(place, index)
    return attempt(
      () => read(element, item, inner),
      item,
      inner,
      () => skipped,
    )
  })
  return items.filter((item) => item !== skipped)
}

function readRecord({ def }: z.ZodRecord, value: unknown, place: Place): unknown {
  if (!isRecord(value)) throw new MissingValue(place, 'must be an object')
  const entries = Object.entries(value).flatMap(([name, given]) => {
    const inner = within(place, name)
    const item = attempt(
      () => read(def.valueType as z.ZodType, given, inner),
      given,
      inner,
      () => undefined,
    )
    return item === undefined ? [] : [[name, item]]
  })
  return Object.fromEntries(entries)
}

/** Tries the alternatives in order; a discriminated union has just one. */
function readUnion({ def }: z.ZodUnion, value: unknown, place: Place): unknown {
  const options = def.options as readonly z.ZodType[]
  const { discriminator } = def as { discriminator?: string }
  const fitting =
    discriminator === undefined || !isRecord(value)
      ? options
      : options.filter(({ _zod }) => _zod.propValues?.[discriminator]?.has(value[discriminator] as never))
  const exact = fitting.map((option) => option.safeParse(value)).find(({ success }) => success)
  if (exact) return exact.data
  let furthest = new MissingValue(place, isNothing(value) ? 'is required' : 'has another form')
  for (const option of fitting) {
    const before = place.leftOut.length
    try {
      return read(option, value, place)
    } catch (problem) {
      if (!(problem instanceof MissingValue)) throw problem
      place.leftOut.length = before
      if (problem.unreadable.path.length > furthest.unreadable.path.length) furthest = problem
    }
  }
  throw furthest
}
