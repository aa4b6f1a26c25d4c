import { z } from 'zod'
import { archive } from '../contract/archives.ts'
import { broadcast, hlsState, rtmpOutput } from '../contract/broadcasts.ts'
import { archiveCallback, connection } from '../contract/callbacks.ts'
import { call } from '../contract/calls.ts'
import { composer } from '../contract/composers.ts'
import { chosenStream } from '../contract/layouts.ts'
import { project } from '../contract/projects.ts'
import { createdSession } from '../contract/sessions.ts'
import { stream } from '../contract/streams.ts'
import { describeSchemaError } from './schema-errors.ts'

/** A value of an answer that breaks the contract. It omits the value, which may be secret. */
export interface Unreadable {
  readonly path: string
  readonly problem: string
}

/** A value in the contract's shape with the values left out of it, or the first required value that is missing. */
export type LenientResult =
  | { readonly value: unknown; readonly leftOut: readonly Unreadable[] }
  | { readonly missing: Unreadable }

/**
 * Parses a value that breaks its schema, as far as callers can use it.
 *
 * It converts between strings and numbers, and between `"true"` and true. It keeps unknown enum values, but not a
 * number in their place: an answer with a numeric status is garbled, and its id is wrong as well. It leaves
 * out optional values and skips list items that it cannot parse. A missing required value has the default in
 * `fieldDefaults`. Without a default, it is an error.
 */
export function parseLeniently(schema: z.ZodType, value: unknown): LenientResult {
  const leftOut: Unreadable[] = []
  try {
    return { value: parse(schema, value, { path: [], leftOut }), leftOut }
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

function parse(schema: z.ZodType, value: unknown, place: Place): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return parseOptional(schema, value, place)
  if (schema instanceof z.ZodObject) return parseObject(schema, value, place)
  if (schema instanceof z.ZodArray) return parseArray(schema, value, place)
  if (schema instanceof z.ZodRecord) return parseRecord(schema, value, place)
  if (schema instanceof z.ZodUnion) return parseUnion(schema, value, place)
  if (schema instanceof z.ZodPipe)
    return check(schema.def.out as z.ZodType, parse(schema.def.in as z.ZodType, value, place), place)
  if (schema instanceof z.ZodEnum && typeof value === 'string' && value !== '') return value
  return check(schema, convert(schema, value), place)
}

const isNothing = (value: unknown) => value === undefined || value === null

function check(schema: z.ZodType, value: unknown, place: Place): unknown {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  if (isNothing(value) || value === '') throw new MissingValue(place, 'is required')
  const { path, message } = describeSchemaError(parsed.error)
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

type Optional = z.ZodOptional | z.ZodNullable | z.ZodDefault

function parseOptional(schema: Optional, value: unknown, place: Place): unknown {
  const empties = value === null ? [null, undefined] : [undefined, null]
  const nothing = () => empties.map((one) => schema.safeParse(one)).find(({ success }) => success)?.data
  if (isNothing(value)) return nothing()
  return attempt(() => parse(schema.def.innerType as z.ZodType, value, place), value, place, nothing)
}

/** Returns the substitute for a value that cannot be parsed, and notes the value unless it was empty. */
function attempt(parsing: () => unknown, value: unknown, { leftOut }: Place, substitute: () => unknown): unknown {
  const before = leftOut.length
  try {
    return parsing()
  } catch (problem) {
    if (!(problem instanceof MissingValue)) throw problem
    leftOut.length = before
    if (value !== '') leftOut.push(problem.unreadable)
    return substitute()
  }
}

function parseObject(schema: z.ZodObject, value: unknown, place: Place): unknown {
  if (!isRecord(value)) throw new MissingValue(place, isNothing(value) ? 'is required' : 'must be an object')
  const isLoose = schema.def.catchall instanceof z.ZodUnknown
  const entries = Object.entries(schema.shape).map(([name, field]) => {
    const inner = within(place, name)
    const fillIn = defaultOf(field as z.ZodType)
    const given = value[name]
    if (!fillIn) return [name, parse(field as z.ZodType, given, inner)] as const
    if (isNothing(given)) return [name, fillIn(value)] as const
    return [
      name,
      attempt(
        () => parse(field as z.ZodType, given, inner),
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

/** Skips items that cannot be parsed, except in an array with a fixed length. */
function parseArray(schema: z.ZodArray, value: unknown, place: Place): unknown {
  if (value === null) return check(schema, [], place)
  if (!Array.isArray(value)) throw new MissingValue(place, value === undefined ? 'is required' : 'must be a list')
  const { checks = [] } = schema.def
  const element = schema.def.element as z.ZodType
  if (checks.length > 0) {
    const items = value.map((item, index) => parse(element, item, within(place, index)))
    return items.length > 0 ? items : check(schema, items, place)
  }
  const skipped = Symbol('skipped')
  const items = value.map((item, index) => {
    const inner = within(place, index)
    return attempt(
      () => parse(element, item, inner),
      item,
      inner,
      () => skipped,
    )
  })
  return items.filter((item) => item !== skipped)
}

function parseRecord({ def }: z.ZodRecord, value: unknown, place: Place): unknown {
  if (!isRecord(value)) throw new MissingValue(place, 'must be an object')
  const entries = Object.entries(value).flatMap(([name, given]) => {
    const inner = within(place, name)
    const item = attempt(
      () => parse(def.valueType as z.ZodType, given, inner),
      given,
      inner,
      () => undefined,
    )
    return item === undefined ? [] : [[name, item]]
  })
  return Object.fromEntries(entries)
}

/** Tries the alternatives in order. A discriminator selects one of them. */
function parseUnion({ def }: z.ZodUnion, value: unknown, place: Place): unknown {
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
      return parse(option, value, place)
    } catch (problem) {
      if (!(problem instanceof MissingValue)) throw problem
      place.leftOut.length = before
      if (problem.unreadable.path.length > furthest.unreadable.path.length) furthest = problem
    }
  }
  throw furthest
}

type FieldDefault = (holder: Readonly<Record<string, unknown>>) => unknown

const empty = () => ''
const zero = () => 0
const yes = () => true
const no = () => false
const sameAsCreatedAt: FieldDefault = ({ createdAt }) => Number(createdAt)

/**
 * Defaults of required fields that an answer may lack and that no caller needs. Each is the documented empty value, or the
 * default of the operation.
 */
const fieldDefaults = new Map<z.ZodType, FieldDefault>([
  [createdSession.shape.project_id, empty],
  [createdSession.shape.create_dt, empty],
  [createdSession.shape.media_server_url, empty],
  [stream.shape.name, empty],
  [stream.shape.videoType, () => 'custom'], // neither a camera nor a screen
  [stream.shape.layoutClassList, () => []],
  [archive.shape.duration, zero],
  [archive.shape.hasAudio, yes],
  [archive.shape.hasVideo, yes],
  [archive.shape.outputMode, () => 'composed'],
  [archive.shape.reason, empty],
  [archive.shape.size, zero],
  [archiveCallback.shape.updatedAt, sameAsCreatedAt],
  [broadcast.shape.projectId, empty],
  [broadcast.shape.updatedAt, sameAsCreatedAt],
  [rtmpOutput.shape.serverUrl, empty],
  [rtmpOutput.shape.streamName, empty],
  [hlsState.shape.dvr, no],
  [hlsState.shape.lowLatency, no],
  [chosenStream.shape.hasAudio, yes],
  [chosenStream.shape.hasVideo, yes],
  [call.shape.streamId, empty],
  [composer.shape.projectId, empty],
  [composer.shape.updatedAt, sameAsCreatedAt],
  [composer.shape.resolution, () => '1280x720'],
  [project.shape.name, empty],
  [connection.shape.createdAt, zero],
])

/** Returns the function that computes the default of a field; undefined if the field has none. */
export const defaultOf = (field: z.ZodType): FieldDefault | undefined => fieldDefaults.get(field)
