import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { complete, isLive, isRecording, observe } from '../../../lib/services/observation.ts'
import { isCall, openWorld, refusing, type World } from '../../support/world.ts'

let world: World
let sessionId: string
beforeEach(async () => {
  world = openWorld()
  sessionId = await world.platform.createSession()
  await world.platform.join(sessionId)
})
afterEach(() => world.close())

const archive = async (tag: string): Promise<string> =>
  (await world.platform.call('startArchive', { sessionId, multiArchiveTag: tag })).body.id
const broadcast = async (tag: string): Promise<string> =>
  (await world.platform.call('startBroadcast', { sessionId, multiBroadcastTag: tag, outputs: { hls: {} } })).body.id
const idsOf = (seen: readonly { id: string }[]) => seen.map(({ id }) => id)

describe('observe', () => {
  it('sees what carries the show’s tags, and nothing of others, in two calls', async () => {
    const [program, speakers] = [await archive('one/program/1'), await archive('one/speakers/1')]
    await archive('one-more/program/1')
    await archive('somebody else’s')
    const live = await broadcast('one/live/1')
    await broadcast('two/live/1')
    const seen = await observe(await world.services.platform(), 'one', sessionId)
    expect(idsOf(seen.archives).sort()).toEqual([program, speakers].sort())
    expect(idsOf(seen.broadcasts)).toEqual([live])
    expect(world.calls.sort()).toEqual(['GET /archive', 'GET /broadcast'])
  })
})

describe('complete', () => {
  const seenWith = async (state: Parameters<typeof complete>[2]) => {
    const client = await world.services.platform()
    const seen = await observe(client, 'one', sessionId)
    world.calls.length = 0
    return complete(client, seen, state)
  }

  it('reads one by one what the lists left out: a lagging archive, a broadcast that has ended', async () => {
    const [listed, lagging] = [await archive('one/program/1'), await archive('one/speakers/1')]
    const ended = await broadcast('one/live/1')
    await world.platform.call('stopBroadcast', { broadcastId: ended })
    world.interceptors.platform = async (request, pass) => {
      const response = await pass()
      if (!isCall('GET', /\/archive$/)(request)) return response
      const page = (await response.json()) as { items: { id: string }[] }
      return Response.json({ count: 1, items: page.items.filter(({ id }) => id !== lagging) })
    }
    const seen = await seenWith({
      recordings: [
        { name: 'program', tag: 'one/program/1', archiveId: listed },
        { name: 'speakers', tag: 'one/speakers/1', archiveId: lagging },
        { name: 'never', tag: 'one/never/1' },
      ],
      broadcasts: [{ name: 'live', tag: 'one/live/1', broadcastId: ended }],
    })
    expect(idsOf(seen.archives)).toEqual([listed, lagging])
    expect(seen.broadcasts).toMatchObject([{ id: ended, status: 'stopped' }])
    expect(world.calls.sort()).toEqual([`GET /archive/${lagging}`, `GET /broadcast/${ended}`])
  })

  const gone = {
    recordings: [{ name: 'program', tag: 'one/program/1', archiveId: '00000000-0000-4000-8000-000000000000' }],
    broadcasts: [{ name: 'live', tag: 'one/live/1', broadcastId: '0'.repeat(32) }],
  }

  it('leaves out what the platform does not know any more', async () => {
    expect(await seenWith(gone)).toEqual({ archives: [], broadcasts: [] })
  })

  it('takes no failure for an absence', async () => {
    world.interceptors.platform = refusing(isCall('GET', /\/archive\/./), 500)
    await expect(seenWith(gone)).rejects.toMatchObject({ name: 'PlatformUnavailableError' })
  })
})

describe('isRecording and isLive', () => {
  it('count what is paused, and what says live instead of started', () => {
    type Archive = Parameters<typeof isRecording>[0]
    type Broadcast = Parameters<typeof isLive>[0]
    const recording = ['started', 'paused', 'stopped', 'uploaded'].filter((status) =>
      isRecording({ status } as Archive),
    )
    const live = ['started', 'live', 'stopped', 'failed'].filter((status) => isLive({ status } as Broadcast))
    expect({ recording, live }).toEqual({ recording: ['started', 'paused'], live: ['started', 'live'] })
  })
})
