import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openWorld, type World } from '../../support/world.ts'
import { call } from '../api/call.ts'
import { createJoining, refusal } from './joining.ts'

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(() => world.close())

const { invitationTo, join, schedule, change, start } = createJoining(() => world)

describe('an invitation to a series', () => {
  it('leads to each occurrence of a series, and waits between them', async () => {
    const series = await schedule({ cron: '0 10 * * ? *', zone: 'UTC', count: 2 })
    const invitation = await invitationTo(series)
    expect((await join(invitation)).body).toMatchObject({ startsAt: '2026-11-20T10:00:00.000Z' })
    await world.clock.advance(3_600_000)
    expect((await join(invitation)).headers).toMatchObject({ 'retry-after': '2' }) // the schedule has not called yet
    for (const day of ['20', '21']) {
      await start(series, `2026-11-${day}T10:00:00Z`)
      const showId = `${series}-202611${day}t1000`
      expect(await join(invitation)).toMatchObject(refusal(409, 'show-not-open'))
      const sessionId = await world.platform.createSession()
      await change({ status: 'live', sessionId }, showId)
      expect((await join(invitation)).body).toMatchObject({ showId, sessionId })
      await change({ status: 'succeeded', endedAt: world.now() }, showId)
      if (day === '20') expect((await join(invitation)).body).toMatchObject({ startsAt: '2026-11-21T10:00:00.000Z' })
      else expect(await join(invitation)).toMatchObject(refusal(410, 'show-over'))
      await world.clock.advance(86_400_000)
    }
  })

  it('asks for patience while a start is noted and its occurrence has no state', async () => {
    const last = { cron: '0 10 * * ? *', zone: 'UTC', count: 1 }
    const weekly = { cron: '0 10 ? * FRI *', zone: 'UTC' }
    for (const start of [last, weekly]) {
      const series = await schedule(start)
      const invitation = await invitationTo(series)
      await world.clock.advance(Date.parse('2026-11-20T10:00:10Z') - world.clock.now())
      const starts = 'count' in start ? { starts: ['2026-11-20T10:00:00.000Z'] } : {}
      await change({ ...starts, occurrences: [`${series}-20261120t1000`] }, series)
      const starting = await join(invitation)
      expect(starting).toMatchObject({ ...refusal(409, 'show-not-open'), headers: { 'retry-after': '2' } })
      expect(starting.body).not.toHaveProperty('startsAt')
    }
  })

  it('continues after a start that was interrupted', async () => {
    const series = await schedule({ cron: '0 10 * * ? *', zone: 'UTC' })
    const invitation = await invitationTo(series)
    await world.clock.advance(3_600_000 + 1_200_000)
    await change({ occurrences: [`${series}-20261120t1000`] }, series)
    expect((await join(invitation)).body).toMatchObject({ startsAt: '2026-11-21T10:00:00.000Z' })
  })

  it('asks for patience for the latest start of a series, and not for an earlier one', async () => {
    const series = await schedule({ cron: '0/10 * * * ? *', zone: 'UTC' })
    const invitation = await invitationTo(series)
    await world.clock.advance(Date.parse('2026-11-20T10:11:00Z') - world.clock.now())
    const late = await join(invitation)
    expect(late).toMatchObject({ headers: { 'retry-after': '6' } }) // a tenth of its delay
    expect(late.body).not.toHaveProperty('startsAt')
    await start(series, '2026-11-20T10:10:00Z')
    await change({ status: 'succeeded', endedAt: world.now() }, `${series}-20261120t1010`)
    expect((await join(invitation)).body).toMatchObject({ startsAt: '2026-11-20T10:20:00.000Z' })
  })

  it('asks for patience until the sweep has started the last occurrence, which its schedule did not', async () => {
    const series = await schedule({ cron: '0 10 * * ? *', zone: 'UTC', until: '2026-11-20' })
    const invitation = await invitationTo(series)
    await world.clock.advance(3_600_000 + 1_199_000)
    const starting = await join(invitation)
    expect(starting).toMatchObject({ ...refusal(409, 'show-not-open'), headers: { 'retry-after': '30' } })
    await world.clock.advance(1_000)
    expect(await join(invitation)).toMatchObject(refusal(410, 'show-over'))
  })

  it('continues to admit to the occurrence that runs when the series is unscheduled', async () => {
    const series = await schedule({ cron: '0 10 * * ? *', zone: 'UTC' })
    const invitation = await invitationTo(series)
    await world.clock.advance(3_600_000)
    await start(series, '2026-11-20T10:00:00Z')
    const showId = `${series}-20261120t1000`
    await change({ status: 'live', sessionId: await world.platform.createSession() }, showId)
    await call(world, `DELETE /shows/${series}`)
    expect((await join(invitation)).status).toBe(200)
    await change({ status: 'succeeded', endedAt: world.now() }, showId)
    expect(await join(invitation)).toMatchObject(refusal(410, 'show-over'))
  })
})
