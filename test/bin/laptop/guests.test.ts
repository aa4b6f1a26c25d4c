import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createGuests, type Guests } from '../../../bin/laptop/guests.ts'
import { type Listening, listen } from '../../../local/cloud/server.ts'

let laptop: Listening
let guests: Guests
let show: Record<string, unknown>
let inside: string[]
let isFull: boolean
let tell: () => void
const problems: string[] = []

/** API and sandbox at one address: the API knows one show, whose state the test sets. */
async function answer(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url)
  if (pathname === '/recordings') return Response.json({ items: [] })
  if (pathname === '/shows/abc') return Response.json(show)
  const [, connectionId = ''] = /^\/sandbox\/sessions\/s\/participants\/?(.*)$/.exec(pathname) ?? []
  if (request.method === 'DELETE') inside = inside.filter((name) => name !== connectionId)
  else if (isFull) return Response.json({ message: 'The session is full.' }, { status: 400 })
  else inside.push(((await request.json()) as { name: string }).name)
  tell()
  return request.method === 'DELETE'
    ? new Response(null, { status: 204 })
    : Response.json({ connectionId: inside.at(-1) })
}

/** Resolves as soon as exactly these are inside. */
const areInside = (...names: string[]) =>
  new Promise<void>((resolve) => {
    tell = () => inside.join() === names.join() && resolve()
    tell()
  })

const running = { showId: 'abc', status: 'waiting', recordings: [], broadcasts: [], timeline: [] }
const result = { status: 'succeeded', reason: '', recordings: [], broadcasts: [] }

beforeEach(async () => {
  show = running
  inside = []
  isFull = false
  tell = () => {}
  problems.length = 0
  laptop = await listen(answer)
  guests = createGuests({
    access: { apiUrl: laptop.url, token: 't' },
    sandboxUrl: laptop.url,
    guests: [{ name: 'Ada' }, { name: 'Grace', joinsAt: 0 }],
    onProblem: (sentence) => problems.push(sentence),
  })
})
afterEach(async () => {
  await guests.close()
  await laptop.close()
})

describe('createGuests', () => {
  it('lets guests in at their times, and out when the show is over', async () => {
    expect(guests.bring('abc')).toBe(true)
    expect(guests.bring('abc')).toBe(false)
    show = { ...running, sessionId: 's' }
    await areInside('Ada')
    show = { ...running, sessionId: 's', status: 'live', liveAt: new Date().toISOString() }
    await areInside('Ada', 'Grace')
    show = { ...show, status: 'succeeded', result }
    await areInside()
    expect(problems).toEqual([])
  })

  it('takes them out when it is closed before the end', async () => {
    show = { ...running, sessionId: 's' }
    guests.bring('abc')
    await areInside('Ada')
    await guests.close()
    expect([inside, problems]).toEqual([[], []])
  })

  it('says why a guest cannot come', async () => {
    show = { ...running, sessionId: 's' }
    isFull = true
    const said = new Promise<void>((resolve) => {
      problems.push = (...sentences) => {
        resolve()
        return Array.prototype.push.apply(problems, sentences)
      }
    })
    guests.bring('abc')
    await said
    expect(problems[0]).toContain('Guests of show abc: The sandbox refused a participant (400)')
  })
})
