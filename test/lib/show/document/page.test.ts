import { describe, expect, it } from 'vitest'
import { pageOf } from '../../../../lib/show/document/page.ts'
import { parseShow } from '../../../../lib/show/document/show.ts'

const least = { version: 1.1, name: 'Least', duration: 20, recordings: [{ name: 'program' }] }
const problemsOf = (page: unknown) => {
  const parsed = parseShow({ ...least, page })
  return 'problems' in parsed ? parsed.problems.map(({ path, message }) => `${path}: ${message}`) : []
}

describe('pageOrder', () => {
  it.each([
    {},
    { title: 'x'.repeat(200), description: 'First line\n\nSecond line 🎉', accentColor: '#A0b1C2' },
    { cover: 'https://example.com/covers/1.jpg?size=large' },
  ])('accepts %j', (page) => {
    expect(problemsOf(page)).toEqual([])
  })

  it.each([
    ['title', '', 'must not be empty'],
    ['title', ' ', 'must not be blank'],
    ['title', 'two\nlines', 'must not contain control characters'],
    ['title', 'x'.repeat(201), 'must have at most 200 characters'],
    ['description', 'x'.repeat(2_001), 'must have at most 2000 characters'],
    ['description', 'a\u001b[2J', 'must not contain control characters'],
    ['cover', 'http://example.com/cover.jpg', 'must be the https URL of a picture'],
    ['cover', 'data:image/png;base64,AAAA', 'must be the https URL of a picture'],
    ['cover', 'https://me:secret@example.com/cover.jpg', 'must not carry a user or a password'],
    ['accentColor', 'red', 'must be a color such as #1a73e8'],
    ['accentColor', '#12345', 'must be a color such as #1a73e8'],
    ['logo', 'x', 'is not a field of a show'],
  ])('refuses %s %j: %s', (field, value, message) => {
    expect(problemsOf({ [field]: value })).toEqual([`page.${field}: ${message}`])
  })
})

describe('pageOf', () => {
  it('takes the name of the show for a missing title', () => {
    expect(pageOf({ name: 'A show', page: { accentColor: '#000000' } })).toEqual({
      title: 'A show',
      accentColor: '#000000',
    })
    expect(pageOf({ name: 'A show', page: { title: 'A title' } })).toEqual({ title: 'A title' })
  })
})
