/**
 * Rules about several fields in JSON Schema, which cannot read the refinements of a schema. They are given to `.meta` after the
 * last method that makes a new schema: `.strict` and `.extend` drop them.
 */

/** Keywords of JSON Schema. */
export type SchemaRule = Readonly<Record<string, unknown>>

/** Requires fields that match schemas: `{ hls: {} }` is any `hls`. Other fields are free. */
export const has = (fields: Readonly<Record<string, SchemaRule>>): SchemaRule => ({
  type: 'object',
  properties: fields,
  required: Object.keys(fields),
})

/** Requires texts that are parsed as URLs of the web, as their callers do: with white space around them. */
export const webUrlRule: SchemaRule = {
  pattern: '^\\s*[Hh][Tt][Tt][Pp][Ss]?://[/\\\\]*[^\\s/\\\\?#\\u0000-\\u001f\\u007f]',
}

/** Requires exactly one of the fields. */
export const exactlyOne = (...fields: readonly string[]): SchemaRule => ({
  oneOf: fields.map((field) => has({ [field]: {} })),
})

/** Refuses objects that match any of the rules. */
export const never = (...rules: readonly SchemaRule[]): SchemaRule => ({
  not: rules.length === 1 ? rules[0] : { anyOf: rules },
})

/** Requires a rule of objects that match a condition. */
export const when = (condition: SchemaRule, rule: SchemaRule): SchemaRule => ({
  if: condition,
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: rule,
})

/** Requires all rules, although they have the same keywords. */
export const all = (...rules: readonly SchemaRule[]): SchemaRule => ({ allOf: rules })
