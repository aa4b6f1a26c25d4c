import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lambda, temporaryFolder } from '../small-assembly.ts'
import { openScheduler, targetOf } from './open-scheduler.ts'

describe('createScheduler after a restart', () => {
  it('continues schedules at the same times as before', async () => {
    using folder = temporaryFolder()
    const directory = join(folder.path, 'cloud')
    const first = openScheduler({ directory })
    await first.create({ ScheduleExpression: 'rate(3 hours)' })
    await first.advance(3_600_000)
    await first.cloud.close()
    expect(first.times()).toEqual(['2026-01-01T00:00:00Z'])
    expect(statSync(join(directory, 'schedules.json')).mode & 0o777).toBe(0o600)

    const second = openScheduler({ directory, at: '2026-01-01T02:00:00Z' })
    await second.advanceTo('2026-01-01T06:00:00Z')
    expect(second.times()).toEqual(['2026-01-01T03:00:00Z', '2026-01-01T06:00:00Z'])
    expect(readFileSync(join(directory, 'schedules.json'), 'utf8')).toContain('rate(3 hours)')
    await second.cloud.close()
  })

  it('runs at once the events that were due while it was closed, within their maximum age', async () => {
    using folder = temporaryFolder()
    const directory = join(folder.path, 'cloud')
    const age = (MaximumEventAgeInSeconds: number) => ({
      Target: targetOf({ RetryPolicy: { MaximumEventAgeInSeconds } }),
    })
    const before = openScheduler({ directory })
    await before.create({ Name: 'kept', ...age(300) })
    await before.create({ Name: 'dropped', ...age(240) })
    await before.create({ Name: 'deleted', ...age(60), ActionAfterCompletion: 'DELETE' })
    const StartDate = new Date('2026-01-01T09:00:00Z')
    await before.create({ Name: 'recurring', ScheduleExpression: 'cron(0/2 * * * ? *)', StartDate, ...age(300) })
    await before.advance(3_600_000)
    await before.cloud.close()

    const after = openScheduler({ directory, at: '2026-01-01T10:04:00Z' })
    await after.advance(0)
    const on = '2026-01-01T10:04:00.000Z'
    expect(after.ran.sort((a, b) => a.at.localeCompare(b.at))).toEqual([
      { at: '2026-01-01T10:00:00Z', on },
      { at: '2026-01-01T10:00:00Z', on },
      { at: '2026-01-01T10:02:00Z', on },
      { at: '2026-01-01T10:04:00Z', on },
    ])
    expect(await after.list()).toEqual(['dropped', 'kept', 'recurring'])
    await after.cloud.close()
  })

  it('forgets the schedules of a group that the stack no longer has', async () => {
    using folder = temporaryFolder()
    const directory = join(folder.path, 'cloud')
    const first = openScheduler({ directory })
    await first.create()
    await first.cloud.close()
    const second = openScheduler({ directory, template: { StartShow: lambda('a') } })
    expect(await second.list()).toEqual([])
    expect(second.clock.nextDue()).toBeUndefined()
    await second.cloud.close()
  })
})
