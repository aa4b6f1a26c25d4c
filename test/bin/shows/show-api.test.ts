import { describe, expect, it, onTestFinished } from 'vitest'
import { admit, createShowApi } from '../../../bin/shows/show-api.ts'
import { listen } from '../../../local/cloud/server.ts'

/** Creates a client of an API that gives every request this answer. */
async function answering(answer: () => Response) {
  const server = await listen(async () => answer())
  onTestFinished(server.close)
  return createShowApi({ apiUrl: server.url, token: 't' })
}

describe('createShowApi', () => {
  it('sends no token to another server by a redirect', async () => {
    const api = await answering(() => Response.redirect('http://127.0.0.1:9/'))
    await expect(api.shows.get('a')).rejects.toThrow(/does not answer \(it redirects\)\. Check the address\.$/)
  })

  it('reports that no server answers', async () => {
    const api = createShowApi({ apiUrl: 'http://127.0.0.1:9/', token: 't' })
    await expect(api.shows.list({ limit: 1 }).page()).rejects.toThrow(
      /^The API at http:\/\/127\.0\.0\.1:9 does not answer \(.+\)\. Check the address\.$/,
    )
  })
})

describe('admit', () => {
  it('returns the token of a participant, and none once the show is over', async () => {
    const open = await answering(() => Response.json({ apiKey: '1', sessionId: 's', token: 'a token' }))
    expect(await admit(open, 'a', 'Ada')).toBe('a token')
    const over = await answering(() => Response.json({ detail: 'It is over.' }, { status: 409 }))
    expect(await admit(over, 'a', 'Ada')).toBeUndefined()
    const broken = await answering(() => Response.json({ detail: 'It failed.' }, { status: 500 }))
    await expect(admit(broken, 'a', 'Ada')).rejects.toThrow('It failed.')
  })
})
