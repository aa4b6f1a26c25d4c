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
