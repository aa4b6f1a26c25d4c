import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readMachines, statesOf } from '../machines.ts'
import { listFiles, root } from '../sources.ts'
import { type Sentence, sentencesOf } from './prose.ts'
import { findUnwantedWords } from './word-list.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')

const everyDocument = listFiles('bin', 'lib', 'lambdas', 'local', 'bench', 'docs', 'examples', 'test')
  .concat(globSync(['*.md', 'site/*.md'], { cwd: root }))
  .filter((path) => path.endsWith('.md'))
const isGenerated = (path: string) => /^<!-- Generated from /m.test(read(path))

/** Documents that people write, whole or around generated blocks, and the words that a sentence may have. */
const documents = everyDocument
  .filter((path) => !isGenerated(path))
  .map((path) => [path, path.includes('/') ? 40 : 30] as const)

const tooLong = (sentences: readonly Sentence[], bound: number) =>
  sentences
    .filter(({ words }) => words > bound)
    .map(({ line, words, text }) => `line ${line}: ${words} words, at most ${bound}: ${text}`)

const unwanted = (sentences: readonly Sentence[]) =>
  sentences.flatMap(({ line, text }) => findUnwantedWords(text).map((problem) => `line ${line}: ${problem}`))

describe.each(documents)('the language of %s', (path, bound) => {
  const sentences = sentencesOf(read(path))

  it('has no sentence that is too long', () => {
    expect(tooLong(sentences, bound)).toEqual([])
  })

  it('has no word of the list', () => {
    expect(unwanted(sentences)).toEqual([])
  })
})

/** Names of machines and their states, which generated documents repeat; the longest first. */
const names = readMachines()
  .flatMap(({ name, definition }) => [name, ...statesOf(definition).map(({ title }) => title)])
  .sort((one, other) => other.length - one.length)
const withoutNames = (text: string) => names.reduce((rest, name) => rest.replaceAll(name, 'name'), text)

describe.each(everyDocument.filter(isGenerated))('the language of %s, which is generated', (path) => {
  it('has no word of the list, except in names', () => {
    const sentences = sentencesOf(read(path)).map((sentence) => ({ ...sentence, text: withoutNames(sentence.text) }))
    expect(unwanted(sentences)).toEqual([])
  })
})

describe('the docs that people write', () => {
  it('have a median of at most 16 words a sentence, headings and tables not counted', () => {
    const counts = documents
      .filter(([path]) => /^docs\/[^/]+\.md$/.test(path))
      .flatMap(([path]) => {
        const lines = read(path).split('\n')
        return sentencesOf(read(path)).filter(({ line }) => !/^\s*[|#]/.test(lines[line - 1] ?? ''))
      })
      .map(({ words }) => words)
      .sort((one, other) => one - other)
    expect(counts.length).toBeGreaterThan(500)
    expect(counts[Math.floor(counts.length / 2)]).toBeLessThanOrEqual(16)
  })
})

describe('sentencesOf', () => {
  it('divides paragraphs, list items, cells and headings', () => {
    const text =
      '# A title\n\nOne `npm run x. y` two.\nThree\nfour? Five!\n\n- six [seven](a.md)\n  eight\n\n| nine | ten. |\n|---|---|\n'
    expect(sentencesOf(text)).toEqual([
      { line: 1, text: 'A title', words: 2 },
      { line: 3, text: 'One code two.', words: 3 },
      { line: 3, text: 'Three four?', words: 2 },
      { line: 3, text: 'Five!', words: 1 },
      { line: 7, text: 'six seven eight', words: 3 },
      { line: 10, text: 'nine', words: 1 },
      { line: 10, text: 'ten.', words: 1 },
    ])
  })

  it('leaves out code, comments and generated blocks', () => {
    const text = 'One.\n```\ntold\n```\n\n    told\n\n<!-- told -->\n<!-- generated:x -->\ntold\n<!-- end -->\nTwo.\n'
    expect(sentencesOf(text).map(({ line, text: sentence }) => [line, sentence])).toEqual([
      [1, 'One.'],
      [12, 'Two.'],
    ])
  })
})

describe('findUnwantedWords', () => {
  it.each(['The owner is told.', 'It goes on.', 'This is no error.', 'Whoever stops', 'It broke off', 'a look'])(
    'finds one in %j',
    (text) => expect(findUnwantedWords(text)).toHaveLength(1),
  )

  it('names the word and what to write instead', () => {
    expect(findUnwantedWords('made anew')).toEqual(['“anew”: write again.'])
  })

  it.each(['It is no longer there, and there is no media.', 'untold', 'It looks good.'])('accepts %j', (text) =>
    expect(findUnwantedWords(text)).toEqual([]),
  )
})
