import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { act, listShows, startExample } from '../../../web/console/api.ts'

/** Has the console's server answer this, or not at all. */
const answerWith = (answer: () => Response) =>
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => answer()),
  )

beforeEach(() => vi.stubGlobal('location', { origin: 'http://127.0.0.1:8800' }))
afterEach(() => vi.unstubAllGlobals())

/** Returns the requests, as `METHOD address`. */
const asked = () => vi.mocked(fetch).mock.calls.map(([address, init]) => `${init?.method ?? 'GET'} ${String(address)}`)

describe('listShows', () => {
  it('returns the page of the list', async () => {
    answerWith(() => Response.json({ items: [] }))
    expect(await listShows(undefined, {})).toEqual({ items: [] })
    await listShows('0001', { status: 'live' })
    const api = 'GET http://127.0.0.1:8800/api'
    expect(asked()).toEqual([`${api}/shows?limit=20`, `${api}/shows?limit=20&status=live&cursor=0001`])
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

describe('act', () => {
  it('throws the sentence of the API, and repeats a request without an answer with the same key', async () => {
    answerWith(() => Response.json({ detail: 'The show is over.' }, { status: 409 }))
    await expect(act(({ controls }) => controls.stop('a'))).rejects.toThrow('The show is over.')
    const answers = [new TypeError('fetch failed'), Response.json({ timeline: [] })]
    vi.stubGlobal(
      'fetch',
      vi.fn(async () => {
        const next = answers.shift()
        if (next instanceof Response) return next
        throw next
      }),
    )
    expect(await act(({ controls }) => controls.stop('a'))).toEqual({ timeline: [] })
    const keys = vi.mocked(fetch).mock.calls.map(([, init]) => new Headers(init?.headers).get('idempotency-key'))
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), keys[0]])
  })

  it('throws how to log in again', async () => {
    answerWith(() => Response.json({ detail: 'Open the whole address.' }, { status: 401 }))
    await expect(act(({ controls }) => controls.stop('a'))).rejects.toThrow('Open the whole address.')
  })
})

describe('startExample', () => {
  it('starts the example, and has participants admitted to it', async () => {
    answerWith(() => Response.json({ showId: 'abc' }))
    await startExample()
    expect(asked()).toEqual(['GET /example.json', 'POST http://127.0.0.1:8800/api/shows', 'POST /participants'])
    const bodies = vi.mocked(fetch).mock.calls.map(([, init]) => init?.body)
    expect(bodies).toEqual([undefined, '{"showId":"abc"}', '{"showId":"abc"}'])
  })
})
