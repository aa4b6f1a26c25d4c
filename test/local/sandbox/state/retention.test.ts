import { describe, expect, it } from 'vitest'
import { openSandbox, START } from '../open-sandbox.ts'

const DAY = 24 * 3_600_000
const A_YEAR_LATER = Date.UTC(2027, 10, 20, 9)

async function openArchives() {
  const world = openSandbox()
  const sessionId = await world.createSession()
  await world.join(sessionId)
  const record = async () => {
    const { id } = (await world.call('startArchive', { sessionId })).body
    await world.call('stopArchive', { archiveId: id })
    await world.sandbox.settled()
    return id as string
  }
  const status = async (archiveId: string) => {
    const { status, body } = await world.call('getArchive', { archiveId })
    return status === 200 ? body.status : status
  }
  return { ...world, record, status }
}

describe('subscribeRetention', () => {
  it('removes an archive twelve months after its creation', async () => {
    const { call, clock, record, status } = await openArchives()
    const first = await record()
    await clock.advance(DAY)
    const second = await record()
    await call('deleteArchive', { archiveId: second })
    await clock.advance(A_YEAR_LATER - START - DAY - 1)
    expect([await status(first), await status(second)]).toEqual(['expired', 'deleted'])
    await clock.advance(1)
    expect([await status(first), await status(second)]).toEqual([400, 'deleted'])
    expect((await call('listArchives')).body).toEqual({ count: 0, items: [] })
    await clock.advance(DAY)
    expect(await status(second)).toBe(400)
  })

  it('continues with archives created after all others were removed', async () => {
    const { clock, record, status } = await openArchives()
    await record()
    await clock.advance(400 * DAY)
    const later = await record()
    expect(await status(later)).toBe('available')
    await clock.advance(366 * DAY)
    expect(await status(later)).toBe(400)
  })
})
