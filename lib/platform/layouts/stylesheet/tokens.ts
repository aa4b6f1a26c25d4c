import { LayoutError } from '../layout-error.ts'

/** Token of a stylesheet: a name, a number with its unit, white space, or any other single character. */
export interface Token {
  readonly kind: 'word' | 'number' | 'space' | 'mark'
  readonly text: string
  /** Line number from 1. */
  readonly line: number
}

const PIECES =
  /(?<comment>\/\*[\s\S]*?\*\/)|(?<space>\s+)|(?<number>[+-]?(?:\d*\.)?\d+(?:%|[a-z][\w-]*)?)|(?<word>-?[a-z_\u0080-\uffff][\w\u0080-\uffff-]*)|(?<mark>[\s\S])/iy

/**
 * Splits a stylesheet into tokens (CSS Syntax Level 3 without strings and escapes), without its comments.
 * @throws {@link LayoutError} for a string, an escape, an at-rule or an open comment
 */
export function tokenize(css: string): Token[] {
  const tokens: Token[] = []
  let line = 1
  for (const { 0: text, groups = {} } of css.matchAll(new RegExp(PIECES, 'giy'))) {
    const kind = (['space', 'number', 'word', 'mark'] as const).find((name) => groups[name] !== undefined)
    if (kind === 'mark' && REFUSED[text]) refuseToken(line, `${REFUSED[text]} are not supported`)
    if (kind) tokens.push({ kind, text, line })
    line += text.split('\n').length - 1
  }
  return tokens
}

const REFUSED: Readonly<Record<string, string>> = {
  '\\': 'escapes (\\)',
  '"': 'strings (")',
  "'": "strings (')",
  '@': 'at-rules (@)',
  '/': 'comments without an end',
}

/** @throws {@link LayoutError} with the line and the problem */
export function refuseToken(line: number, problem: string): never {
  throw new LayoutError(`Line ${line} of the stylesheet cannot be drawn: ${problem}.`)
}

/** Quotes a text, cut to 40 characters. */
export const quote = (text: string) => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text)
