import fc from 'fast-check'
import { compilerOf, type Definitions, type JsonSchema, resolve } from './json-schemas.ts'

/** Texts at the edge of some rule. */
const hostile = [
  ...[
    '',
    ' ',
    '\u00a0',
    '\u200b',
    'a\u0007',
    'a\nb',
    '\u2028',
    'a\u202eb',
    'ä',
    '😀',
    '\\',
    '__proto__',
    'constructor',
  ],
  ...['prototype', 'a'.repeat(64), 'a'.repeat(65), '0', '-', 'a=b', 'en', '1.5', 'true', 'null'],
  ...['../a#b', 'a/..#b', 'a#..', 'a..b#c', 'a#__proto__', 'a#constructor', 'a#key.for', 'a#b', 'stream/..keys#a'],
  ...[
    'sip:a:b@c',
    'SIPS:a:b@c',
    'sip:a@b',
    'sips:b',
    'sip:',
    'X-',
    'X-Show',
    'x-show',
    'show/dial-ins/a',
    'show/dial-in/a',
  ],
  ...[
    'https://a.example',
    'HTTPS://A.example/ü?x',
    'http://a',
    'https://u:p@a',
    'https://u@a/',
    'https://@a',
    'https:///a',
  ],
  ...['https://a.example/@b', 'https://a.example\\@b', 'https://a b', 'https:a.example', 'rtmp://a/live', 'RTMPS://a'],
  ...['rtmp://u@a/live', 'rtmp:///live', 'ftp://a', 'https://a.example/?u@b', 'https://a.example#x', 'https://a:8080'],
  ...['2026-02-28', '2026-02-29', '2028-02-29', '2100-02-29', '2026-13-01', '1969-12-31', '2026-04-31', '2026-4-1'],
  ...['2026-02-28T10:00', '2028-02-29T10:00:00', '2026-02-30T10:00', '2200-01-01T00:00', '1970-01-01T00:00'],
  ...['2026-06-01T24:00', '2026-06-01T23:59:59', '2026-06-01T10:00:60', '2026-06-01T10:60', '2026-06-01 10:00'],
  ...['2026-06-01T10:00Z', '2026-06-01T10:00:00.5+02:00', '2026-06-01T10:00:00.5', '2026-06-01T10:00+24:00'],
  ...['2026-06-01T10:00:00Z', '2026-06-01T10:00:00+01:00', 'UTC', 'Europe/Berlin', '+01:00', 'America/Port-au-Prince'],
  ...[
    '0 9 ? * 3#2 *',
    '0 9 * * ? *',
    '0 9 ? * ? *',
    '0 9 1 * 2 *',
    '0 9 L * ? 2027',
    '0 9 ? JAN mon-fri *',
    '0 9 * * *',
  ],
  ...[
    '0 9 15W * ? *',
    '0 9 ? * 2L *',
    '*/5 0-6 ? 1,2 SUN 2026-2030',
    '0  9 ? * 2 *',
    '192.0.2.1',
    '::1',
    '2001:db8::1%a',
  ],
]
/** Characters of every kind that a rule could distinguish. */
const characters = fc.constantFrom(...'aZ09 _-./:#@+=\\\u0007\n\u00a0\u200b\u2028\u202eä€😀')
const hostileText = fc.constantFrom(...hostile)

/** Times of RFC 3339. */
const instants = fc
  .tuple(
    fc.date({ min: new Date(0), max: new Date('2199-01-01'), noInvalidDate: true }),
    fc.constantFrom('Z', '+05:30'),
  )
  .map(([date, offset]) => date.toISOString().replace('Z', offset))
const dates = fc
  .date({ min: new Date(0), max: new Date('2199-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))

const urls = fc
  .tuple(
    fc.constantFrom('http', 'https', 'HTTPS', 'rtmp', 'rtmps', 'ftp', ''),
    fc.constantFrom('a.example', 'a.example:8080', '[2001:db8::1]', '192.0.2.1', 'ü.example', '', 'u:p@a', 'u@a', '@a'),
    fc.constantFrom('', '/', '/live/a b', '/live', '/ü', '?q=1@2', '#x', '/\\', '/\u0007'),
  )
  .map(([scheme, host, path]) => `${scheme}://${host}${path}`)

const formats: Readonly<Record<string, fc.Arbitrary<string>>> = {
  uri: urls,
  date: dates,
  'date-time': instants,
  ipv4: fc.ipV4(),
  ipv6: fc.ipV6(),
}

/** Keywords that a drawn value may break. */
const checked = new Set(
  'pattern format minLength maxLength uniqueItems contains maxProperties propertyNames allOf anyOf oneOf not if'.split(
    ' ',
  ),
)

interface Options {
  readonly definitions?: Definitions
  /** Keeps values that break a rule about several fields, and texts without their pattern. @default false */
  readonly isLoose?: boolean
}

/** Returns values of a JSON schema: every part of them is tried with and without what is optional, and at its bounds. */
export function valuesOf(root: JsonSchema, { definitions = {}, isLoose = false }: Options = {}): fc.Arbitrary<unknown> {
  const validatorOf = compilerOf(definitions)
  /** Values that their own schema accepts, so that a whole document rarely has to be drawn again. */
  const accepted = <Value>(schema: JsonSchema, values: fc.Arbitrary<Value>): fc.Arbitrary<Value> => {
    if (isLoose || !Object.keys(schema).some((keyword) => checked.has(keyword))) return values
    const validate = validatorOf(schema)
    return values.filter((value) => validate(value))
  }
  return of(root)

  function of(given: JsonSchema): fc.Arbitrary<unknown> {
    const schema = resolve(given, definitions)
    if (schema.const !== undefined) return fc.constant(schema.const)
    if (schema.enum) return fc.constantFrom(...schema.enum)
    if (schema.properties || schema.type === 'object') return accepted(schema, objects(schema))
    const { type } = schema
    if (Array.isArray(type)) return fc.oneof(...type.map((one: string) => of({ ...schema, type: one })))
    const forms = schema.anyOf ?? schema.oneOf
    if (forms) return accepted(schema, fc.oneof(...forms.map(of)))
    return accepted(schema, simple(schema))
  }

  function simple(schema: JsonSchema): fc.Arbitrary<unknown> {
    const number = (name: string, fallback: number) => Number(schema[name] ?? fallback)
    switch (schema.type) {
      case 'string':
        return texts(schema)
      case 'integer':
      case 'number': {
        const [min, max] = [number('minimum', 0), number('maximum', 1_000_000)]
        return fc.oneof(fc.integer({ min, max }), fc.constantFrom(min, max))
      }
      case 'boolean':
        return fc.boolean()
      case 'null':
        return fc.constant(null)
      case 'array':
        return fc.array(of(schema.items ?? {}), {
          minLength: number('minItems', 0),
          maxLength: Math.min(number('maxItems', 3), number('minItems', 0) + 3),
        })
      default:
        return fc.constantFrom<unknown>('a', 1, true)
    }
  }

  function texts(schema: JsonSchema): fc.Arbitrary<string> {
    const maxLength = Math.min(Number(schema.maxLength ?? 60), 60)
    const known = formats[schema.format ?? '']
    const drawn =
      schema.pattern && !known ? fc.stringMatching(new RegExp(schema.pattern, 'u'), { maxLength }) : undefined
    const own = drawn ?? known ?? fc.string({ unit: characters, maxLength })
    return fc.oneof({ weight: 4, arbitrary: own }, { weight: isLoose ? 1 : 2, arbitrary: hostileText })
  }

  function objects({ properties = {}, required = [], additionalProperties, propertyNames }: JsonSchema) {
    const possible = Object.entries(properties).filter(([, { not }]) => JSON.stringify(not) !== '{}')
    const known = fc.record(Object.fromEntries(possible.map(([name, inner]) => [name, of(inner)])), {
      requiredKeys: [...required],
      noNullPrototype: true,
    })
    if (typeof additionalProperties !== 'object') return known
    const names = of({ type: 'string', ...propertyNames }) as fc.Arbitrary<string>
    const further = fc.dictionary(names, of(additionalProperties), { maxKeys: 3, noNullPrototype: true })
    return fc.tuple(known, further).map(([one, other]) => ({ ...other, ...one }))
  }
}
