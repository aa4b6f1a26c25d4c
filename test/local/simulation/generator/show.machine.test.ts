import { describe, expect, it } from 'vitest'
import { jsonSchemaOf } from '../../../../lib/platform/contract/operations/openapi.ts'
import { maxSecondsOf } from '../../../../lib/show/document/duration.ts'
import { parseShow, show } from '../../../../lib/show/document/show.ts'
import { readExpression } from '../../../../local/cloud/schedules/expression.ts'
import { randomShow } from '../../../../local/simulation/generator/show.ts'
import { createRandom } from '../../../../local/simulation/scheduling/random.ts'
import { placesIn, placesOf } from './schema-walk.ts'

const NOW = Date.UTC(2030, 0, 1)
const showOf = (seed: number) => randomShow(createRandom(seed, 'show'), NOW)
const showsOf = (count: number) => Array.from({ length: count }, (_, index) => showOf(index + 1))

describe('randomShow', () => {
  it('makes 2,000 shows that are valid, each again by its seed', () => {
    const shows = showsOf(2_000)
    expect(shows.flatMap((one) => ('problems' in parseShow(one) ? [parseShow(one)] : []))).toEqual([])
    expect(showOf(7)).toEqual(showOf(7))
    expect(new Set(shows.map((one) => JSON.stringify(one))).size).toBe(2_000)
  })

  it('has every field and every choice at least 20 times in 500 seeds, and omits every optional field', () => {
    const schema = jsonSchemaOf(show) as Parameters<typeof placesOf>[0]
    const counts = new Map(placesOf(schema).map((place) => [place, 0]))
    expect(counts.size).toBeGreaterThan(150)
    for (const one of showsOf(500))
      for (const place of placesIn(schema, one)) if (counts.has(place)) counts.set(place, (counts.get(place) ?? 0) + 1)
    expect([...counts].filter(([, count]) => count < 20)).toEqual([])
  })

  it('lasts five minutes to a day, as likely short as long, and sometimes up to a week', () => {
    const durations = showsOf(2_000).map(maxSecondsOf)
    const share = (from: number, to: number) => durations.filter((one) => one >= from && one < to).length / 2_000
    expect(share(300, 86_401)).toBeGreaterThan(0.98)
    expect(share(86_401, 604_801)).toBeGreaterThan(0.004)
    expect(Math.abs(share(300, 3_600) - share(7_200, 86_400))).toBeLessThan(0.05) // both a factor of twelve
  })

  it('is mostly one to six recordings, and sometimes up to fifty', () => {
    const counts = showsOf(2_000).map(({ recordings }) => recordings.length)
    expect(counts.filter((count) => count <= 6).length).toBeGreaterThan(1_850)
    expect(Math.max(...counts)).toBeGreaterThan(45)
  })

  it('starts within a day and a minute, at a time that exists in its zone', () => {
    const starts = showsOf(2_000).flatMap((one) => show.parse(one).start ?? [])
    expect(starts.length).toBeGreaterThan(300)
    for (const { zone, ...start } of starts) {
      const text = 'at' in start ? `at(${start.at.length === 16 ? `${start.at}:00` : start.at})` : `cron(${start.cron})`
      const first = readExpression(text, { zone, anchor: NOW }).after(NOW) ?? Number.NaN
      expect((first - NOW) / 1000).toBeGreaterThanOrEqual(60)
      expect((first - NOW) / 1000).toBeLessThanOrEqual(86_460)
    }
  })
})
