import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openWorld, type World, webinar } from '../../../support/world.ts'
import { call } from '../call.ts'

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(async () => {
  await world.close()
})

describe('GET /shows', () => {
  it('lists shows newest first, page by page', async () => {
    for (const id of ['first', 'second', 'third']) {
      await world.accept(webinar, id)
      await world.clock.advance(1_000)
    }
    const page = await call(world, 'GET /shows', { query: { limit: '2' } })
    expect(page.body.items).toMatchObject([{ showId: 'third', status: 'starting' }, { showId: 'second' }])
    const next = await call(world, 'GET /shows', { query: { limit: '2', cursor: page.body.cursor } })
    expect(next.body.items).toMatchObject([{ showId: 'first' }])
    expect(next.body).not.toHaveProperty('cursor')
  })

  it('filters by status, label, time and schedule, page by page', async () => {
    for (let index = 0; index < 7; index++) {
      const labels = { customer: index % 2 === 0 ? 'even' : 'odd' }
      await world.accept({ ...webinar, labels }, `show-${index}`)
      await world.clock.advance(60_000)
    }
    await world.services.records.updateState('show-3', (state) => ({ ...state, status: 'live', scheduleId: 'weekly' }))
    const idsOf = async (query: Record<string, string>) => {
      const ids: string[][] = []
      for (let cursor: string | undefined; ; ) {
        const { body } = await call(world, 'GET /shows', { query: { ...query, ...(cursor && { cursor }) } })
        ids.push(body.items.map(({ showId }: { showId: string }) => showId))
        cursor = body.cursor
        if (!cursor) return ids
      }
    }
    expect(await idsOf({ status: 'live' })).toEqual([['show-3']])
    expect(await idsOf({ scheduleId: 'weekly' })).toEqual([['show-3']])
    expect(await idsOf({ label: 'customer=odd', limit: '2' })).toEqual([['show-5', 'show-3'], ['show-1']])
    expect(await idsOf({ label: 'customer=even', status: 'live' })).toEqual([[]])
    const [from, to] = ['2026-11-20T09:02:00Z', '2026-11-20T10:04:00+01:00']
    expect(await idsOf({ from, to, limit: '2' })).toEqual([['show-4', 'show-3'], ['show-2']])
  })

  it('ends a page after some hundred shows that a filter leaves out, with a cursor', async () => {
    const { records } = world.services
    await world.accept({ ...webinar, labels: { customer: 'first' } }, 'the-first')
    await world.clock.advance(1_000)
    for (let index = 0; index < 301; index++) await world.accept(webinar, `show-${index}`)
    expect((await records.listShows({ limit: 1_000 })).items).toHaveLength(302)
    const query = { label: 'customer=first' }
    const { body } = await call(world, 'GET /shows', { query })
    expect(body).toEqual({ items: [], cursor: expect.any(String) })
    const next = await call(world, 'GET /shows', { query: { ...query, cursor: body.cursor } })
    expect(next.body.items).toMatchObject([{ showId: 'the-first' }])
    expect(next.body).not.toHaveProperty('cursor')
  })

  it.each([
    [{ status: 'dead' }, 'status'],
    [{ from: 'yesterday' }, 'from'],
    [{ label: 'customer' }, 'label'],
  ])('refuses the filter %j', async (query, path) => {
    expect(await call(world, 'GET /shows', { query })).toMatchObject({ status: 400, body: { problems: [{ path }] } })
  })

  it('is empty before the first show', async () => {
    expect(await call(world, 'GET /shows')).toMatchObject({ status: 200, body: { items: [] } })
  })

  it.each([
    [{ limit: '0' }, 'limit', 'must be at least 1'],
    [{ limit: '101' }, 'limit', 'must be at most 100'],
    [{ limit: 'many' }, 'limit', 'must be a number'],
    [{ limit: '1.5' }, 'limit', 'must be a whole number'],
    [{ limit: '' }, 'limit', 'must be at least 1'],
    [{ cursor: '../../result' }, 'cursor', 'is not a cursor of this list'],
    [{ cursor: '' }, 'cursor', 'is not a cursor of this list'],
    [{ colour: 'red' }, 'colour', 'is not a field of this query'],
  ])('refuses %j', async (query, path, message) => {
    const refused = {
      status: 400,
      body: { detail: 'The query is not valid; see problems.', problems: [{ path, message }] },
    }
    expect(await call(world, 'GET /shows', { query })).toMatchObject(refused)
    expect(await call(world, 'GET /recordings', { query })).toMatchObject(refused)
  })
})
