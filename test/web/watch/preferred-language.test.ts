import { describe, expect, it } from 'vitest'
import { preferredLanguage } from '../../../web/watch/preferred-language.ts'

describe('preferredLanguage', () => {
  it.each([
    [['de', 'en'], ['en-US', 'en'], 'en'],
    [['en-GB', 'en-US'], ['en-US'], 'en-US'],
    [['de', 'pt-BR'], ['fr', 'pt-PT'], 'pt-BR'],
    [['de', 'en'], ['fr'], 'de'],
    [[], ['en'], ''],
  ])('selects of %j for a viewer who wants %j', (languages, wanted, language) => {
    expect(preferredLanguage(languages, wanted)).toBe(language)
  })
})
