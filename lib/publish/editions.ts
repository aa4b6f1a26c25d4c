import { createHash } from 'node:crypto'

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

/** Everything that determines the bytes of a published file. */
export interface Origins {
  /** ETag of the source, without quotes. */
  readonly etag: string
  /** Parameters and versions of tools; the order of keys does not matter. */
  readonly recipe: Json
}

/** Returns the name of an edition: 12 hexadecimal digits, the same for the same source and recipe. */
export const editionOf = ({ etag, recipe }: Origins): string =>
  createHash('sha256')
    .update(JSON.stringify([etag, ordered(recipe)]))
    .digest('hex')
    .slice(0, 12)

function ordered(value: Json): Json {
  if (value === null || typeof value !== 'object') return value
  if (isArray(value)) return value.map(ordered)
  const keys = Object.keys(value).sort()
  return Object.fromEntries(keys.map((key) => [key, ordered(value[key] ?? null)]))
}

const isArray = (value: readonly Json[] | object): value is readonly Json[] => Array.isArray(value)
