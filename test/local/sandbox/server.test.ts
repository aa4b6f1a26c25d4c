import { describe, expect, it } from 'vitest'
import { realClock } from '../../../lib/clock.ts'
import { createMediaOff } from '../../../local/sandbox/media-off.ts'
import { startSandbox } from '../../../local/sandbox/server.ts'

describe('startSandbox', () => {
  it('serves on a free port of this machine until it is closed', async () => {
    const server = await startSandbox({ media: createMediaOff(realClock) })
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(server.apiKey).toMatch(/^[1-9]\d{7}$/)
    const response = await fetch(`${server.url}/v2/project/${server.apiKey}/archive`)
    expect(response.status).toBe(403)
    await server.close()
    await expect(fetch(server.url)).rejects.toThrow()
  })

  it('says in one sentence that a port is taken', async () => {
    const server = await startSandbox({ media: createMediaOff(realClock) })
    const port = Number(new URL(server.url).port)
    await expect(startSandbox({ media: createMediaOff(realClock), port })).rejects.toThrow(
      `Port ${port} on 127.0.0.1 is in use: stop what listens there or choose another.`,
    )
    await server.close()
  })

  it('refuses control under a name that is not this machine’s', async () => {
    const server = await startSandbox({ media: createMediaOff(realClock) })
    const response = await fetch(`${server.url}/sandbox/sessions/none/participants`, {
      method: 'POST',
      headers: { origin: 'https://example.com' },
    })
    expect(response.status).toBe(403)
    await server.close()
  })
})
