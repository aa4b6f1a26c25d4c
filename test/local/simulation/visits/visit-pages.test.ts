import { describe, expect, it } from 'vitest'
import { below, pathIn, prolonged, tampered } from '../../../../local/simulation/visits/visit-pages.ts'

const link = 'https://api.example.com/watch/show/a?expires=3600&signature=Abc'

describe('links of watch pages', () => {
  it('lead to routes below their page, with the same credentials', () => {
    expect(pathIn(link)).toBe('/watch/show/a?expires=3600&signature=Abc')
    expect(below(link, 'state')).toBe('/watch/show/a/state?expires=3600&signature=Abc')
  })

  it('can be changed, as a client without an invitation would', () => {
    expect(tampered(link)).toMatch(/signature=Bbc$/)
    expect(prolonged(link)).toMatch(/expires=7200&/)
  })
})
