import { randomBytes } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { createBreakRoutes } from '../../../bin/console/break-routes.ts'
import { getAhead, setAhead } from '../../../lib/clock.ts'
import { listen } from '../../../local/cloud/server.ts'
import { createFaults } from '../../../local/sandbox/http/faults.ts'
import { createIds } from '../../../local/sandbox/state/ids.ts'

const open = (url = 'http://127.0.0.1:9', isLive = () => false) => {
  const faults = createFaults(createIds(randomBytes))
  const clock = { moveForward: async (ms: number) => setAhead(getAhead() + ms) }
  const routes = createBreakRoutes({ url, controlToken: 'secret', faults, isLive }, clock)
  return async (method: string, path: string, body?: object) => {
    const answer = await routes.request(path, { method, ...(body && { body: JSON.stringify(body) }) })
    return [answer.status, await answer.json()]
  }
}

afterEach(() => setAhead(0))

describe('createBreakRoutes', () => {
  it('orders, lists and clears faults of the sandbox', async () => {
    const ask = open()
    const fault = { operation: 'stopArchive', times: 2, fault: { type: 'status', status: 503 } }
    expect(await ask('POST', '/faults', fault)).toMatchObject([201, { id: expect.any(String) }])
    expect(await ask('GET', '/faults')).toMatchObject([200, { items: [fault] }])
    expect(await ask('DELETE', '/faults')).toEqual([200, { items: [] }])
    expect(await ask('GET', '/faults')).toEqual([200, { items: [] }])
  })

  it('reports an order that the sandbox refuses', async () => {
    const [status, { detail }] = (await open()('POST', '/faults', { operation: 'none' })) as [
      number,
      { detail: string },
    ]
    expect([status, detail]).toEqual([400, expect.stringContaining('operation')])
  })

  it('cuts the connection of the participant who publishes a stream', async () => {
    const asked: string[] = []
    const sandbox = await listen(async (request) => {
      asked.push(`${request.method} ${new URL(request.url).pathname} ${request.headers.get('authorization')}`)
      return request.method === 'DELETE'
        ? new Response(null, { status: 204 })
        : Response.json({ items: [{ connectionId: 'c-1', streamIds: ['s-1'] }] })
    })
    const ask = open(sandbox.url)
    const cut = (streamId: string) => ask('POST', '/connections', { sessionId: 'one', streamId })
    expect(await cut('s-1')).toEqual([200, { connectionId: 'c-1' }])
    expect(asked.at(-1)).toBe('DELETE /sandbox/sessions/one/participants/c-1 Bearer secret')
    expect(await cut('s-2')).toMatchObject([404, { detail: 'The participant has left already.' }])
    await sandbox.close()
  })

  it('moves the clock forward, and reports the time', async () => {
    const ask = open()
    const before = Date.now()
    const [status, { now, ahead }] = (await ask('POST', '/clock', { forward: 7_200 })) as [number, ClockTime]
    expect([status, ahead]).toEqual([200, 7_200_000])
    expect(now).toBeGreaterThanOrEqual(before + ahead)
    expect(await ask('GET', '/clock')).toMatchObject([200, { ahead }])
    expect(await ask('POST', '/clock', { forward: 60 })).toMatchObject([200, { ahead: ahead + 60_000 }])
  })

  it('refuses to move the clock back, by no whole seconds, by days, or a year ahead', async () => {
    const ask = open()
    for (const forward of [-60, 0, 0.5, '60', 2 * 86_400])
      expect(await ask('POST', '/clock', { forward })).toMatchObject([
        400,
        { detail: expect.stringContaining('forward') },
      ])
    setAhead(300 * 86_400_000)
    expect(await ask('POST', '/clock', { forward: 60 })).toMatchObject([
      409,
      { detail: expect.stringContaining('300 days') },
    ])
  })

  it('refuses to move the clock while media is made', async () => {
    const ask = open(undefined, () => true)
    expect(await ask('POST', '/clock', { forward: 60 })).toMatchObject([
      409,
      { detail: expect.stringContaining('no participant is connected') },
    ])
    expect(getAhead()).toBe(0)
  })
})

interface ClockTime {
  readonly now: number
  readonly ahead: number
}
