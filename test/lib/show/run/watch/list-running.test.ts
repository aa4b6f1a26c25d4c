import { describe, expect, it } from 'vitest'
import type { PlatformClient } from '../../../../../lib/platform/client/client.ts'
import { listRunning } from '../../../../../lib/show/run/watch/list-running.ts'
import type { SharedObservation } from '../../../../../lib/show/state/shared-observation.ts'

const NOW = Date.parse('2030-01-01T12:00:00.000Z')
const iso = (ms: number) => new Date(ms).toISOString()

/** A platform whose archives were started one a second, newest first; the first `running` still run. */
function platformOf(archives: number, running: number) {
  const calls: string[] = []
  const archive = (index: number) => ({
    id: `archive-${index}`,
    sessionId: `session-${index}`,
    multiArchiveTag: `show-${index}/program/1`,
    createdAt: NOW - index * 1_000,
    status: index < running ? 'started' : 'uploaded',
    reason: '',
    size: 0,
  })
  const page = (kind: string, total: number, item: (index: number) => object) => {
    return async ({ count, offset }: { count: number; offset: number }) => {
      calls.push(`${kind} ${offset}`)
      const length = Math.max(0, Math.min(count, total - offset))
      return { count: total, items: Array.from({ length }, (_, index) => item(offset + index)) }
    }
  }
  const broadcast = (index: number) => ({
    ...{
      id: `broadcast-${index}`,
      sessionId: 's',
      multiBroadcastTag: 'show-1/live/1',
      createdAt: NOW,
      status: 'started',
    },
    broadcastUrls: { hls: 'https://cdn.example.com/a.m3u8', rtmp: [{ id: 'r', status: 'live', streamName: 'a-key' }] },
  })
  const composer = (index: number) => ({
    ...{ id: `composer-${index}`, sessionId: 's', createdAt: NOW, status: 'started', url: 'https://a.example/?key=1' },
  })
  const platform = {
    listArchives: page('archives', archives, archive),
    listBroadcasts: page('broadcasts', 1, broadcast),
    listComposers: page('composers', 1, composer),
  }
  return { calls, platform: platform as unknown as PlatformClient }
}

const previousOf = (changes: Partial<SharedObservation>): SharedObservation => ({
  ...{ version: 1, by: 'a-show', expiresAt: iso(NOW + 1_000), observedAt: iso(NOW - 3_000), shows: 2 },
  ...changes,
})

describe('listRunning', () => {
  it('lists running archives of shows back to the oldest that can run', async () => {
    const { calls, platform } = platformOf(60_000, 3)
    const lists = await listRunning(platform, { kinds: ['archives'], previous: undefined, now: NOW })
    expect(lists.archives?.items).toMatchObject([
      { id: 'archive-0', tag: 'show-0/program/1' },
      { id: 'archive-1' },
      { id: 'archive-2' },
    ])
    expect(calls).toHaveLength(44) // twelve hours
  })

  it('reads as many pages as what runs needs, and none for what ended before the last observation', async () => {
    const { calls, platform } = platformOf(60_000, 2_500)
    const item = { id: 'archive-2499', sessionId: 's', tag: 'show-2499/program/1', createdAt: NOW - 2_499_000 }
    const items = [{ ...item, status: 'started' }]
    const previous = previousOf({ archives: { neededAt: iso(NOW), items } })
    const lists = await listRunning(platform, { kinds: ['archives'], previous, now: NOW })
    expect(lists.archives?.items).toHaveLength(2_500)
    expect(calls).toEqual(['archives 0', 'archives 1000', 'archives 2000'])
  })

  it('continues a list that another show needed within two minutes, and no longer', async () => {
    const kindsAfter = async (neededAt: number) => {
      const previous = previousOf({ broadcasts: { neededAt: iso(neededAt), items: [] } })
      return Object.keys(await listRunning(platformOf(1, 1).platform, { kinds: ['archives'], previous, now: NOW }))
    }
    expect(await kindsAfter(NOW - 119_999)).toEqual(['archives', 'broadcasts'])
    expect(await kindsAfter(NOW - 120_000)).toEqual(['archives'])
  })

  it('keeps no stream key of an RTMP server and no address of a composer’s page', async () => {
    const kinds = ['archives', 'broadcasts', 'composers'] as const
    const lists = await listRunning(platformOf(1, 1).platform, { kinds, previous: undefined, now: NOW })
    expect(lists.broadcasts?.items).toMatchObject([{ hls: 'https://cdn.example.com/a.m3u8', rtmp: [{ id: 'r' }] }])
    expect(lists.composers?.items).toMatchObject([{ id: 'composer-0' }])
    expect(JSON.stringify(lists)).not.toMatch(/a-key|a\.example/)
  })

  it('leaves out what belongs to no show', async () => {
    const { platform } = platformOf(2, 2)
    const foreign = {
      ...platform,
      listArchives: async () => ({ count: 1, items: [{ id: 'a', createdAt: NOW, name: 'Party', status: 'started' }] }),
    }
    const lists = await listRunning(foreign as never, { kinds: ['archives'], previous: undefined, now: NOW })
    expect(lists.archives?.items).toEqual([])
  })
})
