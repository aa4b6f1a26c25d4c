/** Control characters, ends of lines and what turns the direction of writing: they would speak to whatever prints them. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu

/** For refine: text that is one line wherever it is shown. */
export const printable = [
  (text: string) => text.search(unprintable) < 0,
  { message: 'must not contain control characters' },
] as const

/** For refine: text that shows something, unless there is none. */
export const notBlank = [
  (text: string) => text === '' || /[^\s\p{Cf}]/u.test(text),
  { message: 'must not be blank' },
] as const

/** Text on one line of a terminal: what would speak to it stands there by its code. */
export const inOneLine = (text: string) =>
  text.replace(unprintable, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Names that objects have from birth: what is kept under them is lost, or mistaken for theirs. */
export const isInborn = (name: string) => ['__proto__', 'constructor', 'prototype'].includes(name)
