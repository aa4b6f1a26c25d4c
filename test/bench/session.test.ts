import { describe, expect, it } from 'vitest'
import { toRow } from '../../bench/bench.ts'
import { createSessionBench } from '../../bench/session.ts'

/** A stage whose shows return their session at the second poll. */
function openStage() {
  const done: string[] = []
  const looks = new Map<string, number>()
  let posted = 0
  const stage = {
    async post() {
      const showId = `show-${++posted}`
      done.push(`post ${showId}`)
      return { showId }
    },
    async read(showId: string) {
      const look = (looks.get(showId) ?? 0) + 1
      looks.set(showId, look)
      return look < 2 ? {} : { sessionId: 'a session' }
    },
    stop: async (showId: string) => done.push(`stop ${showId}`),
    createSession: async () => done.push('session'),
    close: async () => void done.push('close'),
  }
  return { stage, done, looks }
}

describe('createSessionBench', () => {
  it('measures until the session is returned, stops each show, and evaluates the goals', async () => {
    const { stage, done, looks } = openStage()
    const bench = createSessionBench({ open: async () => stage, shows: 2 })
    const rows = (await bench.run(() => {}, new AbortController().signal)).map((one) => toRow('session', one))
    expect(rows.map(({ work, goal, met }) => [work, goal, met])).toEqual([
      ['the first show', 5, true],
      ['later shows, the median', 5, true],
      ['later shows, the slowest', 5, true],
    ])
    for (const { value } of rows) expect(value).toBeGreaterThan(0.01) // of one wait between two looks
    expect([...looks.values()]).toEqual([2, 2, 2])
    const shows = ['show-1', 'show-2', 'show-3'].flatMap((showId) => [`post ${showId}`, `stop ${showId}`])
    expect(done).toEqual([...shows, 'session', 'session', 'close'])
  })

  it('closes what it has opened when it is interrupted', async () => {
    const { stage, done } = openStage()
    const interrupted = new AbortController()
    const read = async () => {
      interrupted.abort()
      return {}
    }
    const bench = createSessionBench({ open: async () => ({ ...stage, read }), shows: 2 })
    await expect(bench.run(() => {}, interrupted.signal)).rejects.toMatchObject({ name: 'AbortError' })
    expect(done).toEqual(['post show-1', 'close'])
  })
})
