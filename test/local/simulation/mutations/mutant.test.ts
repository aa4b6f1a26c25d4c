import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { mutate } from './mutant.ts'
import { mutations } from './mutations.ts'

describe('mutate', () => {
  it.each(mutations)('finds where the source is to have $what', ({ edits }) => {
    for (const edit of edits) {
      const source = readFileSync(edit.file, 'utf8')
      const mutated = mutate(source, edit)
      expect(mutated).not.toBe(source)
      expect(mutated).toContain(edit.instead)
    }
  })

  it.each([
    ['that is not there', 'export const tagOff'],
    ['that is there twice', 'export const'],
  ])('refuses a text %s', (_, text) => {
    const file = 'lib/show/document/fields/names.ts'
    const mutated = () => mutate(readFileSync(file, 'utf8'), { file, text, instead: '' })
    expect(mutated).toThrow(`${file} does not have this once: ${text}`)
  })
})
