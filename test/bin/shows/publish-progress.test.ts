import { describe, expect, it } from 'vitest'
import type { ShowSnapshot } from '../../../bin/shows/poll-show.ts'
import { publishProgress } from '../../../bin/shows/publish-progress.ts'

interface Moment {
  readonly parts?: readonly object[]
  readonly statuses?: readonly string[]
  readonly states?: readonly string[]
  readonly message?: string
}

const progress = ({ parts = [{}], statuses = [], states = [], message }: Moment) => {
  const recordings = parts.map((part, index) => ({ name: 'program', part: index + 1, archiveId: `${index}`, ...part }))
  const published = statuses.map((status, index) => ({ archiveId: `${index}`, status, message }))
  const publishing = new Map(states.map((state, index) => [`${index}`, state]))
  return publishProgress('program', {
    show: { result: { recordings } },
    published,
    publishing,
  } as unknown as ShowSnapshot)
}

describe('publishProgress', () => {
  it('names the step of a publish', () => {
    expect(progress({ states: ['Cut pieces'] })).toMatchObject({ isDone: false, detail: 'cut pieces' })
    expect(progress({}).detail).toBe('waiting for the publish to start')
  })

  it('counts a recording that is ready as playable', () => {
    const { problem, ...rest } = progress({ statuses: ['ready'], states: ['Encode piece'] })
    expect(problem).toBeUndefined()
    const detail = 'playable; smaller sizes and other files follow: encode piece'
    expect(rest).toEqual({ isDone: false, isComplete: false, detail })
  })

  it('is done when every part is', () => {
    expect(progress({ parts: [{}, {}], statuses: ['complete'] })).toMatchObject({ isDone: false, isComplete: false })
    expect(progress({ parts: [{}, {}], statuses: ['complete', 'complete'] })).toMatchObject({ isDone: true })
    expect(progress({ statuses: ['failed'], message: 'It is damaged.' })).toMatchObject({
      isDone: true,
      isComplete: false,
      problem: 'It is damaged.',
    })
  })

  it.each([
    ['was lost', { parts: [{ lost: 'It was never started.' }] }, 'It was never started.'],
    ['was not published', {}, 'it was not published'],
    ['is not in the result', { parts: [] }, 'it was not published'],
  ])('reports a recording that %s', (_, moment, problem) => {
    expect(progress(moment).problem).toBe(problem)
  })
})
