import { describe, expect, it } from 'vitest'
import { createApp } from '../../../../../local/simulation/environment/app/event-app.ts'

const post = (signal?: AbortSignal) =>
  new Request('http://app.invalid/events', { method: 'POST', body: '{}', ...(signal && { signal }) })

describe('createApp', () => {
  it('accepts requests outside its outages, and answers with their status in them', async () => {
    let now = 0
    const app = createApp({ now: () => now, outages: [{ at: 10, seconds: 5, answers: 410 }] })
    expect((await app.receive(post())).status).toBe(204)
    now = 12_000
    expect((await app.receive(post())).status).toBe(410)
    expect(app.callbacks).toHaveLength(1)
  })

  it('keeps a request without an answer until its caller gives up', async () => {
    const app = createApp({ now: () => 0, outages: [{ at: 0, seconds: 5, answers: 'silence' }] })
    const abort = new AbortController()
    const answer = app.receive(post(abort.signal))
    expect(await Promise.race([answer, Promise.resolve('none yet')])).toBe('none yet')
    abort.abort()
    await expect(answer).rejects.toThrow()
    expect(app.callbacks).toEqual([])
  })
})
