import { describe, expect, it } from 'vitest'
import { publicPaths, publishingOf } from '../../../../lib/show/document/publishing.ts'
import { parseShow, show } from '../../../../lib/show/document/show.ts'

const document = {
  version: 1.1,
  name: 'A',
  duration: 20,
  publish: { formats: ['poster', 'hls'], access: 'signed', keepDays: 30 },
  recordings: [
    { name: 'program', publish: { access: 'public' } },
    { name: 'tracks', outputMode: 'individual', publish: { formats: ['composite'], keepDays: null } },
    { name: 'backup', publish: { formats: [], keepDays: 7 } },
    { name: 'other' },
  ],
}

describe('publishingOf', () => {
  it.each([
    ['program', { formats: ['poster', 'hls'], access: 'public', keepDays: 30 }],
    ['tracks', { formats: ['composite'], access: 'signed' }],
    ['backup', { formats: [], access: 'signed', keepDays: 7 }],
    ['other', { formats: ['poster', 'hls'], access: 'signed', keepDays: 30 }],
  ])('puts the fields of %s before those of the show', (name, order) => {
    expect(publishingOf(show.parse(document), name)).toEqual(order)
  })
})

describe('publicPaths', () => {
  it('names each field that makes recordings public', () => {
    expect(publicPaths(show.parse(document))).toEqual(['recordings[0].publish.access'])
    expect(publicPaths(show.parse({ ...document, publish: { access: 'public' } }))).toEqual([
      'publish.access',
      'recordings[0].publish.access',
    ])
  })
})

describe('recordingPublishing', () => {
  it.each([
    [{ formats: ['renditions'] }, 'recordings[0].publish.formats: renditions are part of hls: ask for hls as well'],
    [{ access: 'nobody' }, 'recordings[0].publish.access: must be "signed" or "public"'],
    [{ keep: 1 }, 'recordings[0].publish.keep: is not a field of a show'],
  ])('refuses %j: %s', (publish, problem) => {
    const parsed = parseShow({ ...document, recordings: [{ name: 'program', publish }] })
    expect('problems' in parsed && parsed.problems.map(({ path, message }) => `${path}: ${message}`)).toEqual([problem])
  })
})
