import { describe, expect, it } from 'vitest'
import { languageName, parseLanguage } from '../../../../lib/media/captions/language.ts'

describe('parseLanguage', () => {
  it.each([
    ['EN', 'en'],
    ['pt-br', 'pt-BR'],
    ['ZH-hant-tw', 'zh-Hant-TW'],
    ['es-419', 'es-419'],
  ])('brings %s into its one form', (tag, form) => {
    expect(parseLanguage(tag)).toBe(form)
  })

  it.each(['', 'english', 'en_US', '../en', 'en-US-x-private', 'en/../..', 'e'])('refuses "%s"', (tag) => {
    expect(() => parseLanguage(tag)).toThrow(/use a tag such as en/)
  })
})

describe('languageName', () => {
  it('is what its speakers call it', () => {
    expect(languageName('de')).toBe('Deutsch')
    expect(languageName('pt-BR')).toMatch(/^português/)
  })
})
