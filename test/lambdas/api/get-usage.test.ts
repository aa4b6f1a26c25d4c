import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { usageMinutes } from '../../../lib/platform/contract/insights/insights-answers.ts'
import { openWorld, type World } from '../../support/world.ts'
import { call } from './call.ts'

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(() => world.close())

const minutes = Object.fromEntries(Object.keys(usageMinutes.shape).map((kind) => [kind, null])) as never
const keep = (date: string) => world.services.usageRecords.writeDay({ version: 1, date, askedAt: world.now(), minutes })
const ask = (query?: Record<string, string>) => call(world, 'GET /usage', { ...(query && { query }) })
const dates = ({ body }: { body: { days: { date: string }[] } }) => body.days.map(({ date }) => date)

describe('GET /usage', () => {
  it('lists the recorded days of the last month', async () => {
    for (const date of ['2026-10-20', '2026-10-21', '2026-11-01', '2026-11-20', '2026-11-21']) await keep(date)
    const answer = await ask()
    expect(answer.body).toMatchObject({ from: '2026-10-21', to: '2026-11-20' })
    expect(dates(answer)).toEqual(['2026-10-21', '2026-11-01', '2026-11-20'])
    expect(answer.body.days[0]).toEqual({ version: 1, date: '2026-10-21', askedAt: world.now(), minutes })
  })

  it('lists the requested days', async () => {
    for (const date of ['2026-11-01', '2026-11-02', '2026-11-03']) await keep(date)
    expect(dates(await ask({ from: '2026-11-02', to: '2026-11-02' }))).toEqual(['2026-11-02'])
    expect(dates(await ask({ from: '2026-11-02' }))).toEqual(['2026-11-02', '2026-11-03'])
    expect(dates(await ask({ to: '2026-11-01' }))).toEqual(['2026-11-01'])
  })

  it.each([
    [{ from: 'yesterday' }, 'from', 'must be a date such as 2026-12-01'],
    [{ from: '2026-11-03', to: '2026-11-02' }, 'to', 'must not be before 2026-11-03'],
    [{ from: '2026-01-01', to: '2026-11-02' }, 'from', 'must be at most 90 days before 2026-11-02'],
  ])('refuses %j', async (query, path, message) => {
    expect(await ask(query)).toMatchObject({ status: 400, body: { problems: [{ path, message }] } })
  })
})
