import { describe, expect, it } from 'vitest'
import { findUnwantedWords } from './documents/word-list.ts'
import { commentsOf, docstringsOf, messagesOf, type Prose, testNamesOf } from './source-prose.ts'
import { readSources, type Source } from './sources.ts'

const MAX_WORDS = 40
/**
 * A docstring of a function opens with a verb in the third person, after the route for a handler of the API, or has only tags.
 * One of anything else never opens with the words below.
 */
const VERB = /^(?:@\w+|(?:code: )?(?:[A-Za-z][a-z]+s|[Hh]as|[Ii]s|[Dd]oes))\b/
const NO_OPENING = /^(?:What|Whether|Who|Whom|Whose|Of|By|As|Where|When|How|To|That)\b/

const product = readSources('bin', 'lib', 'lambdas', 'local', 'web', 'bench')
const tests = readSources('test').filter(({ path }) => !path.startsWith('test/laws/'))

const unwantedIn = (sources: readonly Source[], proseOf: (source: Source) => Prose[]) =>
  sources.flatMap((source) =>
    proseOf(source).flatMap(({ line, text }) =>
      findUnwantedWords(text).map((problem) => `${source.path}:${line}: ${problem}`),
    ),
  )

const openingProblems = (sources: readonly Source[]) =>
  sources.flatMap((source) =>
    docstringsOf(source)
      .filter(({ kind, text }) => (kind === 'function' ? !VERB.test(text) : NO_OPENING.test(text)))
      .map(({ line, name, text }) => `${source.path}:${line}: ${name} opens with “${text.split('\n')[0]}”.`),
  )

const longSentences = (sources: readonly Source[]) =>
  sources.flatMap((source) =>
    docstringsOf(source).flatMap(({ line, text }) =>
      text
        .split(/(?<=[.!?:;])\s+|\n\s*(?:\n|[-@*])/)
        .filter((sentence) => sentence.split(/\s+/).length > MAX_WORDS)
        .map((sentence) => `${source.path}:${line}: more than ${MAX_WORDS} words: ${sentence}`),
    ),
  )

describe('docstrings', () => {
  it('open with a verb, or a noun phrase for what is not a function', () => {
    expect(openingProblems(product)).toEqual([])
  })

  it('have no sentence that is too long', () => {
    expect(longSentences(product)).toEqual([])
  })
})

describe('the language of sources', () => {
  it('has no word of the list in comments', () => {
    expect(unwantedIn(product, commentsOf)).toEqual([])
  })

  it('has no word of the list in messages', () => {
    expect(unwantedIn(product, messagesOf)).toEqual([])
  })

  it('has no word of the list in names of tests', () => {
    expect(unwantedIn(tests, testNamesOf)).toEqual([])
  })
})

describe('what is read of a source', () => {
  const source: Source = {
    path: 'lib/a.ts',
    text: [
      '/** Tells `told` nothing. */',
      'export const say = (text: string) => text',
      '// one',
      '// two',
      '/** What it is. */',
      'export interface A {}',
      "throw new Error('Nobody has told the function what it is.')",
      "it.each([1])('goes on %s', () => {})",
    ].join('\n'),
  }

  it('is docstrings of exported symbols, with their kind', () => {
    expect(docstringsOf(source)).toEqual([
      { line: 1, kind: 'function', name: 'say', text: 'Tells code nothing.' },
      { line: 5, kind: 'other', name: 'A', text: 'What it is.' },
    ])
  })

  it('is comments, adjacent lines as one', () => {
    expect(commentsOf(source).map(({ line, text }) => [line, text])).toEqual([
      [1, 'Tells code nothing.'],
      [3, 'one\ntwo'],
      [5, 'What it is.'],
    ])
  })

  it('is messages and names of tests', () => {
    expect(messagesOf(source)).toEqual([{ line: 7, text: 'Nobody has told the function what it is.' }])
    expect(testNamesOf(source)).toEqual([{ line: 8, text: 'goes on %s' }])
  })
})
