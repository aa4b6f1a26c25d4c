import { z } from 'zod'

/** Control characters, line separators and bidirectional controls, which terminals would interpret. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu

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

/** Arguments of `refine` for text that is empty or visible. */
export const notBlank = [
  (text: string) => text === '' || /[^\s\p{Cf}]/u.test(text),
  { message: 'must not be blank' },
] as const

/** Returns a text for one line of a terminal, with unprintable characters as escapes. */
export const inOneLine = (text: string) =>
  text.replace(unprintable, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Returns whether every object has a member of this name: a value under it would be lost or mistaken. */
export const isInborn = (name: string) => ['__proto__', 'constructor', 'prototype'].includes(name)
