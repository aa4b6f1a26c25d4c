import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createPlatformClient, type PlatformClient } from '../../../../lib/platform/client/client.ts'
import {
  API_KEY,
  API_SECRET,
  createSleepRecordingClock,
  failure,
  send,
  startPlatformServer,
} from './platform-server.ts'

const archiveId = 'b40ef09b-3811-4726-b508-e41a0f96c68f'
const forbidden = send(403, { code: 403, message: 'Forbidden.' })

describe('createPlatformClient().deleteArchive', () => {
  const clock = createSleepRecordingClock()
  let server: Awaited<ReturnType<typeof startPlatformServer>>
  let client: PlatformClient
  beforeEach(async () => {
    server = await startPlatformServer(clock)
    client = createPlatformClient({ baseUrl: server.url, apiKey: API_KEY, apiSecret: API_SECRET, clock })
  })
  afterEach(() => server.close())
  const asked = () => server.received.map(({ operation }) => operation)

  it('distinguishes a missing archive from invalid credentials', async () => {
    server.faults.push(forbidden, send(400, { code: 400, message: 'Archive not found.' }))
    const error = await failure(client.deleteArchive({ archiveId }))
    expect(error).toMatchObject({
      name: 'PlatformNotFoundError',
      status: 403,
      details: { operation: 'deleteArchive', code: 403 },
      message:
        'deleteArchive was answered 403 and getArchive 400 (Archive not found): there is no such archive; check its id.',
    })
    expect(asked()).toEqual(['deleteArchive', 'getArchive'])
  })

  it.each([
    ['is forbidden', forbidden],
    ['succeeds', send(200, { id: archiveId })],
    ['is unavailable', send(503)],
  ])('rejects with the error of deleteArchive if getArchive %s', async (_, answer) => {
    server.faults.push(forbidden, answer, answer, answer)
    expect(await failure(client.deleteArchive({ archiveId }))).toMatchObject({
      name: 'PlatformAuthError',
      details: { operation: 'deleteArchive' },
    })
  })

  it('does not call getArchive after any other answer', async () => {
    await client.deleteArchive({ archiveId })
    server.faults.push(send(409))
    expect(await failure(client.deleteArchive({ archiveId }))).toMatchObject({ name: 'PlatformConflictError' })
    expect(asked()).toEqual(['deleteArchive', 'deleteArchive'])
  })

  it('rejects with the reason of its signal during getArchive', async () => {
    const stop = new AbortController()
    server.faults.push(forbidden, () => stop.abort('enough'))
    await expect(client.deleteArchive({ archiveId }, { signal: stop.signal })).rejects.toBe('enough')
  })
})
