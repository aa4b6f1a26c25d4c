import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { StartOrder } from '../../../../lib/show/document/starts/start.ts'
import { openWorld, type World, webinar } from '../../../support/world.ts'
import { run } from '../../run.ts'

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await world.close()
})

const serverUrl = 'rtmp://live.example.com/app'
const rtmp = [{ id: 'main', serverUrl, streamName: { secret: 'streams#main' } }]
const minutes = (count: number) => world.clock.advance(count * 60_000)
const sweep = () => run(world, 'sweepShows', {})
const notices = () =>
  world.ownerEvents.filter((event) => event['detail-type'] === 'secret.invalid').map(({ detail }) => detail)

/** Records a show that starts three hours from now, or on a schedule. Its secret does not exist. */
async function schedule(start?: StartOrder): Promise<void> {
  const at = new Date(world.clock.now() + 3 * 3_600_000).toISOString().slice(0, 19)
  await world.accept({ ...webinar, broadcasts: [{ name: 'live', rtmp }], start: start ?? { at, zone: 'UTC' } })
  await world.services.records.updateState('a-show', (state) => ({ ...state, status: 'scheduled' }))
}

describe('sweepShows, of a scheduled show with secrets', () => {
  it('notifies its owner once, an hour before it starts, of a secret that cannot be used', async () => {
    await schedule()
    await minutes(115)
    await sweep()
    expect(notices()).toEqual([])
    await minutes(5)
    await sweep()
    await minutes(5)
    await sweep()
    const reason = expect.stringMatching(/^The secret streams#main cannot be sent to rtmp:\/\/live\.example\.com: /)
    expect(notices()).toMatchObject([{ showId: 'a-show', name: 'broadcasts[0].rtmp[0].streamName', reason }])
    expect((await world.services.shows.state('a-show')).invalidSecrets).toEqual(['streams#main'])
  })

  it('sends no event for a secret that can be used', async () => {
    world.keepShowSecret('streams', { main: 'key' }, [serverUrl])
    await schedule()
    await minutes(120)
    await sweep()
    expect(notices()).toEqual([])
    expect((await world.services.shows.state('a-show')).secretsCheckedAt).toBe(world.now())
  })

  it('checks a recurring show every hour, and reports a secret again once it was right meanwhile', async () => {
    await schedule({ cron: '0 19 * * ? *', zone: 'UTC' })
    const check = async () => {
      await minutes(60)
      await sweep()
      return notices().length
    }
    expect([await check(), await check()]).toEqual([1, 1])
    const invalidSecrets: string[] = []
    await world.services.shows.update('a-show', (state) => ({ ...state, invalidSecrets }))
    expect(await check()).toBe(2)
    expect(new Set(notices().map((detail) => (detail as { id: string }).id)).size).toBe(2)
  })
})
