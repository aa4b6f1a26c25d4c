import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openAtPreferredPort } from '../../../bin/local/preferred-port.ts'
import { type Listening, listen, openListener } from '../../../local/cloud/server.ts'
import { freePort } from '../../support/rtmp/free-port.ts'

let taken: Listening
beforeAll(async () => {
  taken = await listen(async () => new Response('another program'))
})
afterAll(() => taken.close())

const portOf = ({ url }: Pick<Listening, 'url'>) => Number(new URL(url).port)
const lines: string[] = []
const api = { name: 'the API', option: '--api-port', open: openListener, report: (line: string) => lines.push(line) }

describe('openAtPreferredPort', () => {
  it('opens at the preferred port without a word', async () => {
    const preferred = await freePort()
    const listener = await openAtPreferredPort({ ...api, asked: undefined, preferred })
    await listener.close()
    expect([portOf(listener), lines]).toEqual([preferred, []])
  })

  it('moves to a free port when the preferred one is in use, and says so in a sentence', async () => {
    const listener = await openAtPreferredPort({ ...api, asked: undefined, preferred: portOf(taken) })
    await listener.close()
    expect(portOf(listener)).not.toBe(portOf(taken))
    expect(lines.splice(0)).toEqual([
      `⚠ Port ${portOf(taken)} is in use, so the API is at ${listener.url} this time. --api-port chooses its port.`,
    ])
  })

  it('fails when the port that the user asked for is in use', async () => {
    const asked = portOf(taken)
    await expect(openAtPreferredPort({ ...api, asked, preferred: 0 })).rejects.toThrow(
      `Port ${asked} on 127.0.0.1 is in use: stop what listens there or choose another.`,
    )
    expect(lines).toEqual([])
  })

  it('passes other failures on', async () => {
    const open = () => Promise.reject(new Error('This machine does not have the address 192.0.2.1.'))
    await expect(openAtPreferredPort({ ...api, open, asked: undefined, preferred: 1 })).rejects.toThrow('192.0.2.1')
  })
})
