import { describe, expect, it } from 'vitest'
import { completeLists } from '../../../../../local/simulation/invariants/visits/complete-lists.ts'
import { edit } from '../edits/edits.ts'
import { objectsOf, visited } from './visited.ts'

const state = (showId: string, second: number, status = 'succeeded') => ({
  ...{ showId, name: 'Show', status, acceptedAt: `2030-01-01T00:00:0${second}.000Z` },
})
const [one, two] = [state('a', 1), state('b', 2, 'failed')]
const objects = objectsOf({
  'shows/a/state.json': one,
  'shows/b/state.json': two,
  'shows/b/request.json': { showId: 'b', show: { labels: { customer: 'c=7' } } },
})

describe('completeLists', () => {
  it('accepts the pages of a list, the newest show first', () => {
    const visits = [
      visited('/shows?limit=1', { items: [two], cursor: 'next' }),
      visited('/shows?limit=1&cursor=next', { items: [one] }),
      visited('/shows?limit=2&status=failed', { items: [two] }),
      visited('/shows?limit=2&label=customer%3Dc%3D7', { items: [two] }),
      visited('/shows?limit=1&from=2030-01-01T00%3A00%3A02.000Z', { items: [two] }),
      visited('/shows?limit=1&to=2030-01-01T00%3A00%3A01.000Z', { items: [one] }),
    ]
    expect(completeLists({ visits, objects, apiRequests: [], trace: [] })).toEqual([])
  })

  it('finds a missing page, another order, a page that is too long, and a wrong status', () => {
    const problems = (...visits: ReturnType<typeof visited>[]) =>
      completeLists({ visits, objects, apiRequests: [], trace: [] })
    expect(problems(visited('/shows?limit=1', { items: [two] }))).toEqual(['/shows?limit=1 lists b instead of b, a'])
    expect(problems(visited('/shows?limit=2', { items: [one, two] }))).toEqual([
      '/shows?limit=2 lists a, b instead of b, a',
    ])
    expect(problems(visited('/shows?limit=1', { items: [two, one] }))).toEqual([
      '/shows?limit=1 has a page of more than 1 items',
    ])
    expect(problems(visited('/shows?limit=2', { items: [two, { ...one, status: 'live' }] }))).toEqual([
      '/shows?limit=2 shows the status live of a instead of succeeded',
    ])
  })

  it('accepts with and without it a recording whose deletion was interrupted', () => {
    const manifest = { archiveId: 'one', createdAt: '2030-01-01T00:00:01.000Z', status: 'complete' }
    const judge = (items: object[], status: number) =>
      completeLists({
        visits: [visited('/recordings?limit=1', { items })],
        objects: objectsOf({ 'recordings/one/manifest.json': manifest }),
        trace: [],
        apiRequests: [edit('DELETE', '?permanently=true', { status })],
      } as never)
    expect([judge([], 500), judge([manifest], 500), judge([manifest], 404)]).toEqual([[], [], []])
    expect(judge([], 404)).toEqual(['/recordings?limit=1 lists nothing instead of one'])
  })
})
