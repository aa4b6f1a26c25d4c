import { describe, expect, it } from 'vitest'
import { countedCosts } from '../../../../../local/simulation/invariants/visits/counted-costs.ts'
import type { TraceEntry } from '../../../../../local/simulation/trace.ts'
import { faultAt } from '../made-up-evidence.ts'
import { objectsOf, visited } from './visited.ts'

const objects = objectsOf({
  'shows/a/request.json': {
    show: {
      duration: 3_600,
      recordings: [{ name: 'program', pauses: [{ from: 600, to: 1_200 }] }],
      broadcasts: [
        { name: 'live', parts: true, maxDuration: 600 },
        { name: 'preview', parts: false, maxDuration: 600 },
      ],
    },
  },
  'shows/a/state.json': {
    recordings: ['one', 'unknown'].map((archiveId) => ({ name: 'program', part: 1, archiveId })),
    broadcasts: [
      { name: 'live', part: 1, createdAt: '2030-01-01T00:00:00.000Z' },
      { name: 'live', part: 2, createdAt: '2030-01-01T00:10:00.000Z', stopAskedAt: '2030-01-01T00:15:00.000Z' },
    ],
    endedAt: '2030-01-01T01:00:00.000Z',
  },
  'recordings/unknown/manifest.json': { source: { key: 'unknown.mp4', size: 5 }, files: [] },
  'recordings/one/manifest.json': {
    show: { showId: 'a', name: 'program', part: 1 },
    duration: 1_800,
    source: { key: 'archive.mp4', size: 900 },
    files: [
      { key: 'poster.jpg', size: 100 },
      { key: 'archive.mp4', size: 900 },
    ],
    publications: [{ executionName: 'one-1' }, { executionName: 'one-1' }],
  },
})
const history = ['TaskStateEntered', 'LambdaFunctionScheduled', 'LambdaFunctionScheduled', 'SucceedStateEntered'].map(
  (type) => ({ type }),
)
const execution = (machine: string, name: string, input: object) => ({
  ...{ machine, name, input: JSON.stringify(input), history },
})
const executions = [
  execution('show', 'a', { showId: 'a' }),
  execution('publish', 'one-1', { key: 'archive.mp4' }),
  execution('publish', 'another', { key: 'archive.mp4' }),
  execution('notify', 'event', { showId: 'a' }),
] as never

/** Judges the cost of a show with two executions of two states, in which a task is repeated once. */
function judge({
  transitions = 6,
  invocations = 4,
  bytes = 1_000,
  usd = 3,
  missing = 0,
  minutes = { recordings: 30, broadcasts: 15 },
  estimated = { recordings: 50, broadcasts: 70 },
  trace = [] as TraceEntry[],
} = {}) {
  const items = [
    { item: 'Step Functions', amount: `${transitions} transitions`, usd: 1 },
    { item: 'Lambda, running', amount: `${invocations} invocations, 0 GB-s`, usd: 2 },
  ]
  const storage = { item: 'Storage', amount: '0.0 GB', usd: (bytes / 2 ** 30) * 0.023 }
  const counted = { usd, items, storage, minutes }
  const answer = { estimated: { minutes: estimated }, counted, missingExecutions: missing }
  return countedCosts({ visits: [visited('/shows/a/cost', answer)], objects, executions, trace })
}

describe('countedCosts', () => {
  it('accepts what the executions and the files of a show have used', () => {
    expect(judge()).toEqual([])
  })

  it('finds minutes of the platform that its recordings and broadcasts do not have', () => {
    expect(judge({ minutes: { recordings: 30, broadcasts: 65 } })).toEqual([
      'the show a is charged for 65 minutes of broadcasts, which take 900 s',
    ])
  })

  it('finds estimated minutes that the document does not have', () => {
    expect(judge({ estimated: { recordings: 60, broadcasts: 70 } })).toEqual([
      'the show a is estimated at 60 minutes of recordings, which take 3000 s',
    ])
  })

  it('accepts less after a fault, and never more', () => {
    const trace = [faultAt(0)]
    expect(judge({ transitions: 5, trace })).toEqual([])
    expect(judge({ transitions: 5 })).toHaveLength(1)
    expect(judge({ transitions: 7, trace })).toHaveLength(1)
  })

  it.each([
    [{ transitions: 9 }, 'is charged for 9 transitions, and has 6'],
    [{ invocations: 6 }, 'is charged for 6 invocations, and has 4'],
    [{ bytes: 1_900 }, 'is charged for 1900 bytes, and has 1000'],
    [{ missing: 1 }, 'is charged for 1 executions without a history, and has 0'],
    [{ usd: 4 }, 'costs 4, and its items 3'],
  ])('finds %j', (changes, problem) => {
    expect(judge(changes)).toEqual([`the show a ${problem}`])
  })
})
