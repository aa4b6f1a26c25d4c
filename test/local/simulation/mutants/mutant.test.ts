import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { locate, mutate, positionOf } from '../../../../local/simulation/mutants/mutant.ts'
import { plantedMutants } from '../../../../local/simulation/mutants/planted/planted.ts'

const read = (file: string) => ({ 'a.ts': 'one\ntwo\nthree two\n', 'b.ts': 'four' })[file] ?? ''

describe('locate', () => {
  it('finds the range of a text', () => {
    expect(locate({ file: 'a.ts', text: 'three', instead: '3' }, read)).toMatchObject({ start: 8, end: 13 })
  })

  it.each(['five', 'two'])('refuses the text %s, which is not there once', (text) => {
    const found = () => locate({ file: 'a.ts', text, instead: '' }, read)
    expect(found).toThrow(`a.ts does not have this text exactly once: ${text}.`)
  })
})

describe('mutate', () => {
  it('makes every edit, in any order, in every file', () => {
    const edits = [
      { file: 'a.ts', start: 0, end: 3, instead: 'eleven' },
      { file: 'b.ts', start: 4, end: 4, instead: 'teen' },
      { file: 'a.ts', start: 8, end: 13, instead: '3' },
    ]
    expect(mutate({ edits }, read)).toEqual({ 'a.ts': 'eleven\ntwo\n3 two\n', 'b.ts': 'fourteen' })
  })
})

describe('positionOf', () => {
  it('returns file and line', () => {
    expect(positionOf({ file: 'a.ts', start: 8, end: 13, instead: '' }, read)).toBe('a.ts:3')
  })
})

describe('plantedMutants', () => {
  const source = (file: string) => readFileSync(file, 'utf8')
  const planted = plantedMutants(source)

  it('finds where each mistake is made in the present source', () => {
    for (const { edits } of planted)
      for (const [file, text] of Object.entries(mutate({ edits }, source))) expect(text).not.toBe(source(file))
  })

  it('has more than a hundred different ones in every area', () => {
    expect(new Set(planted.map(({ what }) => what)).size).toBe(planted.length)
    expect(planted.length).toBeGreaterThan(100)
    expect([...new Set(planted.map(({ kind }) => kind))]).toEqual([
      ...['starting', 'running', 'pausing', 'stopping', 'sweeping'],
      ...['operations', 'publishing', 'composing', 'queueing', 'clips', 'edits', 'documents', 'machines'],
      ...['unseenOfShows', 'unseenBetweenShows', 'unseenOfLiveShows', 'unseenOfRecordings', 'unseenOfPublications'],
    ])
  })
})
