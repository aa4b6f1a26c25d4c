import { createHash } from 'node:crypto'

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

/** What the bytes of a published file follow from. */
export interface Origins {
  /** Of the source, without quotes. */
  readonly etag: string
  /** Everything else that has a say in the bytes: parameters, versions of tools. The order of keys says nothing. */
  readonly recipe: Json
}

/** Names an edition of a format: 12 hexadecimal digits, the same from the same source by the same recipe. */
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
