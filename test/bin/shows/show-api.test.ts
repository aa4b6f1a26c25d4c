import { describe, expect, it, onTestFinished } from 'vitest'
import { createShowApi } from '../../../bin/shows/show-api.ts'
import { listen } from '../../../local/cloud/server.ts'

/** Creates a client of an API that gives every request this answer. */
async function answering(answer: () => Response) {
  const server = await listen(async () => answer())
  onTestFinished(server.close)
  return createShowApi({ apiUrl: server.url, token: 't' })
}

describe('createShowApi', () => {
  it.each([
    ['a problem', () => Response.json({ detail: 'There is no show a.' }, { status: 404 }), /^There is no show a\.$/],
    [
      'a refused token',
      () => Response.json({ message: 'Unauthorized' }, { status: 401 }),
      /does not accept the token\. Use an unexpired token/,
    ],
    [
      'a message of API Gateway',
      () => Response.json({ message: 'Forbidden' }, { status: 403 }),
      /^The API answered 403 \(Forbidden\)\.$/,
    ],
    ['an answer that is not JSON', () => new Response('<html>', { status: 502 }), /^The API answered 502\.$/],
    ['another server', () => new Response('<html>'), /is not the API of Showrunner\. Check the address\.$/],
    ['a redirect, which would leak the token', () => Response.redirect('http://127.0.0.1:9/'), /does not answer/],
  ])('reports %s in a sentence', async (_, answer, sentence) => {
    await expect((await answering(answer)).read('a')).rejects.toThrow(sentence)
  })

  it('names every problem of a document', async () => {
    const problems = [{ path: 'name', message: 'is missing' }]
    const api = await answering(() => Response.json({ detail: 'It is not valid.', problems }, { status: 400 }))
    await expect(api.post({})).rejects.toThrow('It is not valid.\n  name is missing')
  })

  it('reports that no server answers', async () => {
    const api = createShowApi({ apiUrl: 'http://127.0.0.1:9/', token: 't' })
    await expect(api.list({ limit: 1 })).rejects.toThrow(
      /^The API at http:\/\/127\.0\.0\.1:9 does not answer \(.+\)\. Check the address\.$/,
    )
  })
})
