import { describe, expect, it } from 'vitest'
import { createPostedCallbacks } from '../../../../../local/simulation/environment/platform/posted-callbacks.ts'

const post = (body: string) => new Request('https://api.example.com/callbacks/all', { method: 'POST', body })
const settled = () => new Promise(setImmediate)

describe('createPostedCallbacks', () => {
  it('counts bodies that were accepted, each once', async () => {
    const posted = createPostedCallbacks()
    for (const body of ['one', 'two', 'two']) posted.note(post(body), Promise.resolve(new Response('')))
    posted.note(post('refused'), Promise.resolve(new Response('', { status: 500 })))
    posted.note(post('lost'), Promise.reject(new Error('lost')))
    await settled()
    expect(posted.accepted.size).toBe(2)
  })

  it('leaves the request to be read', async () => {
    const request = post('one')
    createPostedCallbacks().note(request, Promise.resolve(new Response('')))
    expect(await request.text()).toBe('one')
  })
})
