import { describe, expect, it } from 'vitest'
import { differencesOf } from '../../../../../local/simulation/invariants/documents/expected-answers.ts'
import { problemsOfForecast } from '../../../../../local/simulation/invariants/documents/forecasts.ts'

const item = (name: string, usd: number) => ({ item: name, amount: '1 GB', usd })
const stepsOf = (...steps: readonly string[]) => steps.map((step) => ({ step, details: 'details' }))
const forecast = {
  steps: stepsOf('start', 'session', 'audience', 'recording', 'duration', 'uploads', 'publish', 'page', 'events'),
  recordings: [{ name: 'program', seconds: 20_000, parts: 3 }],
  cost: {
    ...{ region: 'us-east-1', asOf: '2026-11', usd: 3, items: [item('Logs', 1), item('X-Ray', 2)] },
    ...{ storage: item('Storage', 1), viewers: item('Viewers', 1) },
  },
}
const document = { duration: 30_000, recordings: [{ name: 'program', pauses: [{ from: 15_000, to: 25_000 }] }] }
const judge = (changes: object = {}, expected = {}, changed: object = document) =>
  problemsOfForecast(changed, { ...forecast, ...changes }, expected)

describe('problemsOfForecast', () => {
  it('plans parts before and after pauses, up to the longest time of an open end', () => {
    expect(judge()).toEqual([])
    const open = { duration: null, recordings: [{ name: 'program' }] }
    expect(judge({ recordings: [{ name: 'program', seconds: 36_000, parts: 3 }] }, {}, open)).toEqual([])
    expect(judge({ recordings: [{ name: 'program', seconds: 20_000, parts: 2 }] })).toHaveLength(1)
  })

  it('demands the steps of every show in order, those of recordings only with recordings, and the expected ones', () => {
    expect(judge({ steps: forecast.steps.slice(1) })[0]).toContain('has the steps session, audience')
    expect(judge({ steps: [...forecast.steps.slice(0, -1), { step: 'events', details: '' }] })).toEqual([
      'says nothing of the step events',
    ])
    expect(judge({ recordings: [] }, {}, { duration: 1, recordings: [] })[0]).toContain('has the steps')
    expect(judge({}, { steps: ['start: details', 'start: later'], noSteps: ['page', 'scene'] })).toEqual([
      'has no step “start: later”',
      'has the step “page”',
    ])
  })

  it('demands the expected start, and none of a show that starts at once', () => {
    expect(judge({ nextStart: 'then' }, { nextStart: 'now' }, { ...document, start: {} })).toEqual([
      'starts at then instead of now',
    ])
    expect(judge({ nextStart: 'then' })).toEqual(['has a next start without a start'])
  })

  it('adds up the cost, and compares the expected items', () => {
    expect(judge({ cost: { ...forecast.cost, usd: 4 } })).toEqual(['costs 4, and its items 3'])
    expect(judge({ cost: { ...forecast.cost, region: 'eu-west-1' } })).toEqual(['has prices of eu-west-1, 2026-11'])
    expect(judge({}, { usd: 3.1, costs: { Logs: ['1 GB', 1], 'X-Ray': ['2 GB', 2] } })).toEqual([
      'costs 3 instead of 3.1',
      'costs 1 GB, 2 for X-Ray instead of 2 GB, 2',
    ])
  })
})

describe('differencesOf', () => {
  it('lets objects have more fields, takes null for none, and an empty list for one without entries', () => {
    expect(differencesOf({ a: 1, b: { c: [1, 2] } }, { b: { c: [1] }, d: null }, 'show')).toEqual([])
    expect(differencesOf({ a: 1, b: [] }, { a: 2, b: [1] }, 'show')).toEqual([
      'show.a is 1 instead of 2',
      'show.b has fewer entries',
    ])
    expect(differencesOf({ a: [1] }, { a: [], b: {} }, 'show')).toEqual(['show.a has entries', 'show.b is missing'])
  })
})
