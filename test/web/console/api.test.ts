import { afterEach, describe, expect, it, vi } from 'vitest'
import { listShows, startExample } from '../../../web/console/api.ts'

/** Has the console's server answer this, or not at all. */
const answerWith = (answer: () => Response) =>
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => answer()),
  )

afterEach(() => vi.unstubAllGlobals())

describe('listShows', () => {
  it('returns the page of the list', async () => {
    answerWith(() => Response.json({ items: [] }))
    expect(await listShows(undefined, {})).toEqual({ items: [] })
    expect(fetch).toHaveBeenCalledWith('/api/shows?limit=20', undefined)
    await listShows('0001', { status: 'live' })
    expect(fetch).toHaveBeenLastCalledWith('/api/shows?limit=20&status=live&cursor=0001', undefined)
  })

  it('throws the sentence of a problem document', async () => {
    answerWith(() => Response.json({ detail: 'limit must be a number.' }, { status: 400 }))
    await expect(listShows(undefined, {})).rejects.toThrow('limit must be a number.')
  })

  it.each([502, 200])('reports HTML that a proxy answers with the status %i', async (status) => {
    answerWith(() => new Response('<html>bad', { status }))
    await expect(listShows(undefined, {})).rejects.toThrow(`The console's server answered ${status}, and not in JSON.`)
  })

  it('reports that nothing answers', async () => {
    answerWith(() => {
      throw new TypeError('fetch failed')
    })
    await expect(listShows(undefined, {})).rejects.toThrow('Showrunner does not answer. Check that it is still running')
  })
})

describe('startExample', () => {
  it('starts the example, and has participants admitted to it', async () => {
    answerWith(() => Response.json({ showId: 'abc' }))
    await startExample()
    const paths = vi.mocked(fetch).mock.calls.map(([path, init]) => [path, init?.body])
    expect(paths).toEqual([
      ['/example.json', undefined],
      ['/api/shows', '{"showId":"abc"}'],
      ['/participants', '{"showId":"abc"}'],
    ])
  })
})
