import { describe, expect, it } from 'vitest'
import { type ShowDocument, show } from '../../../../../lib/show/document/show.ts'
import { forecastOf } from '../../../../../lib/show/plan/forecast/forecast.ts'

const describeStart = () => 'every Monday'
const now = Date.parse('2026-11-22T12:00:00Z') // a Sunday

const forecast = (changes: Partial<ShowDocument>) =>
  forecastOf(show.parse({ version: 1.1, name: 'A', duration: 3_600, recordings: [{ name: 'program' }], ...changes }), {
    now,
    describeStart,
  })

describe('forecastOf', () => {
  it('says when a scheduled show starts next, in its steps and as a time', () => {
    const { steps, nextStart } = forecast({ start: { cron: '0 9 ? * 2 *', zone: 'Europe/Berlin' } })
    expect(steps[0]).toEqual({ step: 'start', details: 'every Monday' })
    expect(nextStart).toBe('2026-11-23T08:00:00.000Z')
  })

  it('counts the parts and seconds of a recording without its pauses', () => {
    const recordings = [{ name: 'room', pauses: [{ from: 10_800, to: 14_400 }] }, { name: 'program' }]
    expect(forecast({ duration: 25_200, recordings }).recordings).toEqual([
      { name: 'room', seconds: 21_600, parts: 2 },
      { name: 'program', seconds: 25_200, parts: 2 },
    ])
  })

  it('costs more for a longer show', () => {
    const [one, ten] = [forecast({}).cost, forecast({ duration: 36_000 }).cost]
    expect(one.usd).toBeGreaterThan(0)
    expect(ten.usd).toBeGreaterThan(5 * one.usd)
    expect(one.items.reduce((sum, { usd }) => sum + usd, 0)).toBeCloseTo(one.usd, 9)
  })
})
