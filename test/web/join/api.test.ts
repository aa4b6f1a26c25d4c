import { afterEach, describe, expect, it, vi } from 'vitest'
import { createApi } from '../../../web/join/api.ts'

/** Has the page's server answer this. */
const answerWith = (answer: () => Response) => vi.stubGlobal('fetch', async () => answer())
const join = () => createApi({ secret: 'a-secret', showId: 'a-show' })

afterEach(() => vi.unstubAllGlobals())

describe('createApi', () => {
  it('returns the show', async () => {
    answerWith(() => Response.json({ show: { showId: 'a-show' } }))
    expect(await join().show()).toEqual({ showId: 'a-show' })
  })

  it('throws the sentence of a problem document', async () => {
    answerWith(() => Response.json({ detail: 'The show is over.' }, { status: 410 }))
    await expect(join().show()).rejects.toMatchObject({ status: 410, message: 'The show is over.' })
  })

  it.each([200, 404, 502])(
    'reports HTML that a proxy answers with the status %i, which is not final',
    async (status) => {
      answerWith(() => new Response('<html>bad', { status }))
      const message = expect.stringContaining(`The server answered ${status}, and not in JSON.`)
      await expect(join().show()).rejects.toMatchObject({ status: 502, message })
    },
  )
})
