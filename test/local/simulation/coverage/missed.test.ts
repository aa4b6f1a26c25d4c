import { describe, expect, it } from 'vitest'
import { addCoverages, noCoverage } from '../../../../local/simulation/coverage/coverage.ts'
import { kindsAt, missedPlaces, rareStrikes } from '../../../../local/simulation/coverage/missed.ts'

const machines = {
  show: {
    States: {
      Open: {
        Retry: [{ ErrorEquals: ['Throttled', 'Sandbox.Timedout'] }, { ErrorEquals: ['States.ALL'] }],
        Catch: [{ ErrorEquals: ['States.ALL'] }],
      },
      Start: { ItemProcessor: { States: { 'Start one': {} } } },
      Begin: { Branches: [{ States: { 'Begin one': {} } }] },
    },
  },
}

describe('missedPlaces', () => {
  it('names states, retries and catches that were not reached', () => {
    const coverage = {
      ...noCoverage,
      states: { 'show: Open': 2, 'show: Start one': 1 },
      retries: { 'show: Open after Sandbox.Timedout': 1 },
    }
    expect(missedPlaces(coverage, machines)).toEqual({
      states: { of: 5, missed: ['show: Start', 'show: Begin', 'show: Begin one'] },
      retries: { of: 2, missed: ['show: Open after States.ALL'] },
      catches: { of: 1, missed: ['show: Open after States.ALL'] },
    })
  })
})

describe('rareStrikes', () => {
  it('names the faults at called sites that struck too seldom', () => {
    const site = 'lambda StartScene @ Watch'
    const often = Object.fromEntries(kindsAt(site).map((kind) => [`${kind} × ${site}`, 20]))
    const coverage = { ...noCoverage, calls: { [site]: 30 }, strikes: { ...often, [`throttled × ${site}`]: 19 } }
    expect(rareStrikes(coverage, 20)).toEqual({ of: kindsAt(site).length, missed: [`throttled × ${site}`] })
  })
})

describe('addCoverages', () => {
  it('adds the counts of each name', () => {
    const [one, other] = [
      { ...noCoverage, calls: { a: 1, b: 2 } },
      { ...noCoverage, calls: { b: 3 } },
    ]
    expect(addCoverages([one, other]).calls).toEqual({ a: 1, b: 5 })
  })
})
