import { afterEach, describe, expect, it } from 'vitest'
import { createSteppedClock } from '../../../../../lib/clock.ts'
import { createPlatformClient } from '../../../../../lib/platform/client/client.ts'
import type { StatusChange } from '../../../../../local/sandbox/callbacks/status-changes.ts'
import { setProjectStatus } from '../../../../../local/simulation/chaos/project-status.ts'
import { createPlatform } from '../../../../../local/simulation/environment/platform/platform.ts'
import { createRandom } from '../../../../../local/simulation/scheduling/random.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** A session with a participant that records and broadcasts to an RTMP server. */
async function open() {
  const clock = createSteppedClock(Date.UTC(2030, 0, 1))
  const changes: StatusChange[] = []
  const platform = createPlatform({
    clock,
    random: createRandom(1, 'sandbox').bytes,
    onStatusChange: (change) => changes.push(change),
    log: () => {},
  })
  closing.push(platform.close)
  const { apiKey, apiSecret } = platform.sandbox.project
  const client = createPlatformClient({
    ...{ baseUrl: 'http://platform.invalid', apiKey, apiSecret, clock },
    retries: { attempts: 1 },
    fetch: (input, init) => platform.fetch(new Request(input, init)),
  })
  const [session] = await client.createSession({ 'p2p.preference': 'disabled' })
  const sessionId = session?.session_id ?? ''
  const join = () =>
    platform.fetch(
      new Request(`http://localhost/sandbox/sessions/${sessionId}/participants`, { method: 'POST', body: '{}' }),
    )
  await join()
  const archive = await client.startArchive({ sessionId, name: 'program', multiArchiveTag: 'a/program/1' })
  const rtmp = [{ id: 'one', serverUrl: 'rtmp://example.com/live', streamName: 'key' }]
  const broadcast = await client.startBroadcast({ sessionId, outputs: { rtmp } })
  const statusesOf = (id: string) => changes.filter((change) => change.id === id).map(({ status }) => status)
  return { platform, client, clock, changes, archive, broadcast, statusesOf, join }
}

describe('createPlatform', () => {
  it('reports every status as soon as it is recorded', async () => {
    const { changes, archive, broadcast } = await open()
    expect(changes).toMatchObject([
      { kind: 'archive', id: archive.id, status: 'started', tag: 'a/program/1', name: 'program' },
      { kind: 'broadcast', id: broadcast.id, status: 'started', rtmpTargets: ['one'] },
    ])
    expect(JSON.stringify(changes)).not.toContain('key')
  })

  it('knows no broadcast that was stopped, if it forgets them', async () => {
    const { platform, client, broadcast } = await open()
    platform.forgetBroadcasts()
    await expect(client.getBroadcast({ broadcastId: broadcast.id })).resolves.toMatchObject({ status: 'started' })
    await client.stopBroadcast({ broadcastId: broadcast.id })
    await expect(client.getBroadcast({ broadcastId: broadcast.id })).rejects.toMatchObject({ status: 404 })
  })

  it('stops and restarts with its records: resources have failed, and clients are disconnected', async () => {
    const { platform, client, archive, broadcast, statusesOf, join } = await open()
    await platform.stop()
    await expect(client.getArchive({ archiveId: archive.id })).rejects.toThrow('ECONNREFUSED')
    platform.start()
    await expect(client.getArchive({ archiveId: archive.id })).resolves.toMatchObject({ status: 'failed' })
    expect([statusesOf(archive.id), statusesOf(broadcast.id)]).toEqual([
      ['started', 'failed'],
      ['started', 'failed'],
    ])
    expect((await join()).status).toBe(201)
  })

  it('loses an answer that it would have given after its end', async () => {
    const { platform, client, clock } = await open()
    platform.sandbox.faults.order({ operation: 'listArchives', fault: { type: 'delay', ms: 5_000 } })
    const listing = client.listArchives({})
    const lost = expect(listing).rejects.toThrow('ECONNRESET')
    await clock.advance(1_000)
    await platform.stop()
    platform.start()
    await lost
  })

  it('keeps lists behind, in the next process too', async () => {
    const { platform, client, clock } = await open()
    platform.lag(10)
    const count = async () => (await client.listArchives({})).count
    expect(await count()).toBe(0)
    await platform.stop()
    platform.start()
    expect(await count()).toBe(0)
    await clock.advance(11_000)
    expect(await count()).toBe(1)
    platform.lag(0)
  })

  it('breaks what runs, once', async () => {
    const { platform, client, clock, archive, broadcast, statusesOf } = await open()
    await clock.advance(2_000)
    expect(platform.breaking.rtmpTarget(broadcast.id, 'one')).toBe(true)
    const { broadcastUrls } = await client.getBroadcast({ broadcastId: broadcast.id })
    expect(broadcastUrls?.rtmp).toMatchObject([{ id: 'one', status: 'offline' }])
    expect([platform.breaking.archive(archive.id), platform.breaking.archive(archive.id)]).toEqual([true, false])
    expect(platform.breaking.broadcast(broadcast.id)).toBe(true)
    expect([statusesOf(archive.id).at(-1), statusesOf(broadcast.id).at(-1)]).toEqual(['failed', 'failed'])
  })

  it('suspends and reactivates the project', async () => {
    const { platform, client, clock } = await open()
    expect(await setProjectStatus(platform, 'SUSPENDED', clock)).toBe(true)
    await expect(client.listArchives({})).rejects.toThrow('suspended')
    expect(await setProjectStatus(platform, 'ACTIVE', clock)).toBe(true)
    await expect(client.listArchives({})).resolves.toBeDefined()
  })
})
