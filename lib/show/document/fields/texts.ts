import { z } from 'zod'
import { all } from '../../../platform/contract/schema-rules.ts'

/** Control characters, line separators and bidirectional controls, which terminals would interpret. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu

const FORBIDDEN = '\\u007f-\\u009f\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069'
/** Pattern of printable text on one line. JSON Schema has no portable classes of characters. */
export const PRINTABLE = `^[^\\u0000-\\u001f${FORBIDDEN}]*$`
/** Pattern of printable text on lines that \n separates. */
export const PRINTABLE_LINES = `^[^\\u0000-\\u0009\\u000b-\\u001f${FORBIDDEN}]*$`
/** Arguments of `refine` for text on one line. */
export const printable = [
  (text: string) => text.search(unprintable) < 0,
  { message: 'must not contain control characters' },
] as const

export const oneLine = (maxCharacters: number) =>
  z
    .string()
    .max(maxCharacters)
    .refine(...printable)
    .meta({ pattern: PRINTABLE })

/** Arguments of `refine` for text that is empty or visible. */
export const notBlank = [
  (text: string) => text === '' || /[^\s\p{Cf}]/u.test(text),
  { message: 'must not be blank' },
] as const

/** Format characters up to U+FFFF. */
const FORMAT =
  '\\u00ad\\u0600-\\u0605\\u061c\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2064\\u2066-\\u206f\\ufeff\\ufff9-\\ufffb'

/** The rule of `notBlank` in JSON Schema, for text that is not empty. */
export const visible = all({ pattern: `[^\\s${FORMAT}]` })

/** Returns a text for one line of a terminal, with unprintable characters as escapes. */
export const inOneLine = (text: string) =>
  text.replace(unprintable, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Returns whether every object has a member of this name: a value under it would be lost or mistaken. */
export const isInborn = (name: string) => ['__proto__', 'constructor', 'prototype'].includes(name)
