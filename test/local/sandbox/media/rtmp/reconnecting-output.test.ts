import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { createSteppedClock } from '../../../../../lib/clock.ts'
import type { RtmpLink } from '../../../../../local/sandbox/media/media.ts'
import { type RtmpRetry, startReconnectingOutput } from '../../../../../local/sandbox/media/rtmp/reconnecting-output.ts'

/** Returns a port at which no server listens. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

describe('startReconnectingOutput', () => {
  it('reports each attempt with the time that is left, and is offline after the window', async () => {
    const clock = createSteppedClock(0)
    const links: RtmpLink[] = []
    const retries: RtmpRetry[] = []
    const target = { id: 'main', serverUrl: `rtmp://127.0.0.1:${await freePort()}/app`, streamName: 'live' }
    const onRetry = (retry: RtmpRetry) => retries.push(retry)
    const options = { clock, reconnectWindow: 3, onRetry }
    const output = startReconnectingOutput(
      target,
      () => [],
      (link) => links.push(link),
      options,
    )
    for (const [index, milliseconds] of [500, 1_000, 1_500].entries()) {
      await expect.poll(() => retries.length).toBe(index + 1)
      await clock.advance(milliseconds)
    }
    await expect.poll(() => links.at(-1)).toBe('offline')
    expect(retries).toEqual([
      { targetId: 'main', attempt: 1, pause: 0.5, left: 3 },
      { targetId: 'main', attempt: 2, pause: 1, left: 2.5 },
      { targetId: 'main', attempt: 3, pause: 1.5, left: 1.5 },
    ])
    expect(links).toEqual(['connecting', 'connecting', 'connecting', 'offline'])
    output.close()
  })
})
