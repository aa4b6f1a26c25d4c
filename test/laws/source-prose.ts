import type { Source } from './sources.ts'

/** A piece of prose in a source file, and the line that it starts at. */
export interface Prose {
  readonly line: number
  readonly text: string
}

/** The docstring of an exported symbol. */
export interface Docstring extends Prose {
  readonly kind: 'function' | 'other'
  readonly name: string
}

const lineAt = (text: string, index: number) => text.slice(0, index).split('\n').length

/** Removes what is not prose: code in backquotes, links and examples. */
const plain = (text: string) =>
  text
    .replace(/@example[\s\S]*?(?=\n\s*@|$)/g, '')
    .replace(/```[\s\S]*?```/g, '')
    .replace(/`[^`\n]*`/g, 'code')
    .replace(/\{@link [^}]*\}/g, 'link')
    .replace(/https?:\S+/g, 'link')

const withoutStars = (comment: string) =>
  comment
    .replace(/^\/\*\*?/, '')
    .replace(/\*\/$/, '')
    .replace(/^\s*\*? ?/gm, '')
    .trim()

/** Returns every comment: blocks whole, and adjacent lines of `//` as one. */
export function commentsOf({ text }: Source): Prose[] {
  const found = [...text.matchAll(/\/\*[\s\S]*?\*\/|(?<=^|[\s;{(,])\/\/ .*(?:\n\s*\/\/ .*)*/g)]
  return found.map(({ 0: comment, index }) => ({
    line: lineAt(text, index),
    text: plain(comment.startsWith('/*') ? withoutStars(comment) : comment.replace(/^\s*\/\/ ?/gm, '')),
  }))
}

const EXPORTED =
  /\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s*export (?:declare )?(async function\*?|function\*?|const|let|class|interface|type) ?(\w+)( = (?:async )?(?:<[^=]*>)?\([^)]*\)(?::[^=\n]+)? =>)?/g

/** Returns the docstrings of exported symbols. */
export function docstringsOf({ text }: Source): Docstring[] {
  return [...text.matchAll(EXPORTED)].map(({ 0: whole, 1: keyword = '', 2: name = '', 3: arrow, index }) => ({
    line: lineAt(text, index),
    kind: keyword.includes('function') || (keyword === 'const' && arrow) ? 'function' : 'other',
    name,
    text: plain(withoutStars(whole.slice(0, whole.indexOf('*/') + 2))),
  }))
}

/** Returns the names of suites and tests. */
export function testNamesOf({ text }: Source): Prose[] {
  const found = [
    ...text.matchAll(/\b(?:describe|it|test)(?:\.each\([\s\S]*?\)|\.each`[^`]*`)?\(\s*(['"`])((?:\\.|(?!\1).)*)\1/g),
  ]
  return found.map(({ 2: name = '', index }) => ({ line: lineAt(text, index), text: plain(name) }))
}

/** Returns texts of at least four words in quotes: messages, descriptions, help. */
export function messagesOf({ text }: Source): Prose[] {
  const code = text.replace(/\/\*[\s\S]*?\*\/|(?<=^|[\s;{(,])\/\/ .*/g, (comment) => comment.replace(/[^\n]/g, ' '))
  const found = [...code.matchAll(/(['"`])((?:\\.|(?!\1)[^\n\\])*)\1/g)]
  return found
    .map(({ 2: message = '', index }) => ({
      line: lineAt(code, index),
      text: message.replace(/\$\{[^}]*\}/g, 'value'),
    }))
    .filter(({ text: message }) => /^(?:[\w’',.:;()–-]+ ){3,}/.test(message))
}
