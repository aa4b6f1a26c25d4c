import { describe, expect, it } from 'vitest'
import { differencesOf, observationsOf, outcomeOf, parts } from '../../../../local/simulation/outcomes/outcome.ts'

type Observed = Parameters<typeof outcomeOf>[0]

const observed = (changed: Partial<Record<keyof Observed, unknown>> = {}) =>
  ({
    trace: [{ at: 0, line: '0.000 the show begins' }],
    objects: new Map([['shows/1/state.json', { text: '{}', size: 2, sha256: 'abc' }]]),
    schedules: ['show-1'],
    callbacks: [{ at: 1, url: 'https://app.example/events', headers: {}, body: '{}' }],
    apiRequests: [{ method: 'POST', path: '/shows', status: 202, answer: '{}' }],
    visits: [{ method: 'GET', address: '/shows/1', at: 2, status: 200, answer: '{}', site: {} }],
    statusChanges: [{ kind: 'archive', status: 'started' }],
    layouts: [],
    archives: new Map([['a', { status: 'uploaded' }]]),
    stackSteps: [],
    removalTrace: [],
    ...changed,
  }) as unknown as Observed

describe('outcomeOf', () => {
  it.each([
    ['a line of the trace', 'trace', { trace: [{ at: 0, line: '0.001 the show begins' }] }],
    ['an object', 'documents', { objects: new Map([['shows/1/state.json', { sha256: 'abd' }]]) }],
    ['a schedule', 'documents', { schedules: [] }],
    ['a request to the app', 'callbacks', { callbacks: [] }],
    ['an answer of the API', 'answers', { apiRequests: [{ method: 'POST', path: '/shows', status: 409 }] }],
    ['an answer to a visitor', 'answers', { visits: [] }],
    ['a record of the platform', 'resources', { archives: new Map([['a', { status: 'available' }]]) }],
    ['a layout', 'resources', { layouts: [{ type: 'pip' }] }],
    ['a step of the stack', 'stack', { stackSteps: [{ kind: 'rotation' }] }],
    ['a line of a removal', 'stack', { removalTrace: [{ at: 0, line: '0.000 the stack is removed' }] }],
  ])('differs by %s in one part', (_what, part, changed) => {
    expect(differencesOf(outcomeOf(observed()), outcomeOf(observed(changed)))).toEqual([part])
  })

  it('is empty in a part of which nothing is observed', () => {
    expect(outcomeOf(observed({ callbacks: [] }))).toMatchObject({
      callbacks: '',
      trace: expect.stringMatching(/^[0-9a-f]{12}$/),
    })
  })

  it('is alike for what is alike, and differs in every part from one that is missing', () => {
    expect(differencesOf(outcomeOf(observed()), outcomeOf(observed()))).toEqual([])
    expect(differencesOf(outcomeOf(observed()), undefined)).toEqual(parts)
  })
})

describe('observationsOf', () => {
  it('has a line for each thing', () => {
    const { documents, answers } = observationsOf(observed())
    expect(documents).toEqual(['shows/1/state.json abc', 'show-1'])
    expect(answers).toEqual([
      '{"method":"POST","path":"/shows","status":202,"answer":"{}"}',
      '{"method":"GET","address":"/shows/1","at":2,"status":200,"answer":"{}"}',
    ])
  })
})
