import { describe, expect, it } from 'vitest'
import {
  insightsErrors,
  insightsInstant,
  insightsOperations,
} from '../../../../../lib/platform/contract/insights/insights.ts'

describe('insightsErrors', () => {
  it('are 1000 to 1022, without a gap', () => {
    expect(Object.keys(insightsErrors).map(Number)).toEqual(Array.from({ length: 23 }, (_, at) => 1000 + at))
  })
})

describe('insightsInstant', () => {
  it.each([
    [0, 0],
    [1795166400, 1795166400000],
    [1795166400000, 1795166400000],
    ['2026-11-20T08:00:00Z', 1795161600000],
    ['2026-11-20T09:00:00.500+01:00', 1795161600500],
    ['2026-11-20', 1795132800000],
  ])('parses %s', (given, milliseconds) => {
    expect(insightsInstant.parse(given)).toBe(milliseconds)
  })

  it.each(['yesterday', '1795166400', -1, 1.5, null, '2026-13-45'])('refuses %s', (given) => {
    expect(insightsInstant.safeParse(given).success).toBe(false)
  })
})

describe('queryInsights', () => {
  it('parses an answer that has only errors', () => {
    const { response } = insightsOperations.queryInsights.success
    const errors = [{ message: 'Session not found', locations: [{ line: 1, column: 3 }], path: null, errorCode: 1017 }]
    expect(response.parse({ errors })).toEqual({ errors })
  })
})
