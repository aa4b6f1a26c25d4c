import { describe, expect, it } from 'vitest'
import { editionOf } from '../../../lib/publish/editions.ts'

const origins = { etag: 'e-1', recipe: { width: 1280, tools: { ffmpeg: '5.1', mediabunny: '1.61' }, rates: [1, 2] } }

describe('editionOf', () => {
  it('gives the same source and recipe the same name, in any order of keys', () => {
    const other = { rates: [1, 2], tools: { mediabunny: '1.61', ffmpeg: '5.1' }, width: 1280 }
    expect(editionOf(origins)).toMatch(/^[0-9a-f]{12}$/)
    expect(editionOf({ recipe: other, etag: 'e-1' })).toBe(editionOf(origins))
  })

  it.each([
    ['another source', { ...origins, etag: 'e-2' }],
    ['another parameter', { ...origins, recipe: { ...origins.recipe, width: 640 } }],
    ['another order of a list', { ...origins, recipe: { ...origins.recipe, rates: [2, 1] } }],
    ['another version of a tool', { ...origins, recipe: { ...origins.recipe, tools: { ffmpeg: '5.2' } } }],
  ])('names %s otherwise', (_what, changed) => {
    expect(editionOf(changed)).not.toBe(editionOf(origins))
  })
})
