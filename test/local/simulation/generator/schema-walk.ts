interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | false
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly type?: string
}

/** Every place and choice of a JSON schema: `scenes[].url`, `scenes[].resolution absent`, `publish.access "public"`. */
export function placesOf(schema: Schema, path = ''): string[] {
  const { properties = {}, required = [], additionalProperties, items, anyOf = [], type } = schema
  const values = schema.enum ?? (type === 'boolean' ? [true, false] : [])
  return [
    ...values.map((value) => `${path} ${JSON.stringify(value)}`),
    ...Object.entries(properties).flatMap(([name, inner]) => {
      const place = path ? `${path}.${name}` : name
      return [place, ...(required.includes(name) ? [] : [`${place} absent`]), ...placesOf(inner, place)]
    }),
    ...(additionalProperties ? [`${path}.*`, ...placesOf(additionalProperties, `${path}.*`)] : []),
    ...(items ? [`${path}[]`, ...placesOf(items, `${path}[]`)] : []),
    ...anyOf.flatMap((one) => [...(one.type === 'string' ? [`${path} text`] : []), ...placesOf(one, path)]),
  ]
}

/** The places and choices of a schema that one document has. */
export function placesIn(schema: Schema, value: unknown, path = ''): Set<string> {
  const found = new Set<string>()
  const add = (inner: Schema, one: unknown, place: string) => {
    for (const other of placesIn(inner, one, place)) found.add(other)
  }
  const { properties, additionalProperties, items, anyOf = [] } = schema
  if (typeof value === 'string') found.add(`${path} text`)
  if (typeof value !== 'object' || value === null) return found.add(`${path} ${JSON.stringify(value)}`)
  if (items && Array.isArray(value)) {
    if (value.length > 0) found.add(`${path}[]`)
    for (const item of value) add(items, item, `${path}[]`)
    return found
  }
  for (const [name, inner] of Object.entries(properties ?? {})) {
    const place = path ? `${path}.${name}` : name
    const has = Object.hasOwn(value, name)
    found.add(has ? place : `${place} absent`)
    if (has) add(inner, (value as Record<string, unknown>)[name], place)
  }
  if (additionalProperties)
    for (const one of Object.values(value)) {
      found.add(`${path}.*`)
      add(additionalProperties, one, `${path}.*`)
    }
  for (const one of anyOf) if (one.properties && fits(one, value)) add(one, value, path)
  return found
}

const fits = ({ required = [] }: Schema, value: object) => required.every((name) => Object.hasOwn(value, name))
