import { describe, expect, it } from 'vitest'
import { problemsOfSentences } from '../../../../../local/simulation/invariants/publishing/true-messages.ts'

type Archive = Parameters<typeof problemsOfSentences>[1]
const archive = { object: { size: 900 }, facts: { seconds: 60 } } as Archive
const individual = { ...archive, facts: undefined }

const judge = (message: string, of: Archive = archive) => problemsOfSentences({ message }, of)

describe('problemsOfSentences', () => {
  it('accepts the size and the duration of the archive', () => {
    expect(
      judge('It has 900 bytes; the platform recorded 1800. It lasts 60.00 s; the platform recorded 120 s.'),
    ).toEqual([])
    expect(judge('It has 900 bytes; the platform recorded 1800.', individual)).toEqual([])
  })

  it('finds those of what was made of the archive', () => {
    expect(judge('It has 70 bytes; the platform recorded 900.', individual)).toEqual([
      'has a message about 70 bytes, and has 900',
    ])
    expect(judge('It lasts 60.00 s; the platform recorded 0 s.', individual)).toEqual([
      'has a message about 60.00 s, which is not the duration of the archive',
    ])
  })

  it('finds a format that is missing more than once', () => {
    const missing = [{ format: 'hls', problem: 'No.' }]
    expect(problemsOfSentences({ missing }, archive)).toEqual([])
    expect(problemsOfSentences({ missing: [...missing, ...missing] }, archive)).toEqual([
      'lists hls as missing more than once',
    ])
  })
})
