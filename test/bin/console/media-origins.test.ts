import { describe, expect, it } from 'vitest'
import { mediaOriginsOf } from '../../../bin/console/media-origins.ts'

describe('mediaOriginsOf', () => {
  it.each([
    ['https://api.example.com', ['https:']],
    ['http://127.0.0.1:4400', ['https:', 'http://127.0.0.1:*']],
  ])('returns the sources of the API at %s', (apiUrl, origins) => {
    expect(mediaOriginsOf(apiUrl)).toEqual(origins)
  })
})
