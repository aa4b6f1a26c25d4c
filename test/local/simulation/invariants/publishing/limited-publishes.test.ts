import { describe, expect, it } from 'vitest'
import { MAX_PUBLISHES } from '../../../../../local/simulation/environment/settings.ts'
import { limitedPublishes } from '../../../../../local/simulation/invariants/publishing/limited-publishes.ts'

type Evidence = Parameters<typeof limitedPublishes>[0]

const READY = 'Take turn'
const COMPLETE = 'Take turn for the rest'

/** A visit to a state that takes a turn: when it was entered and left, in seconds, and whether it got one. */
type Visit = readonly [state: string, from: number, to: number, hasTurn: boolean]

/** Returns the execution of an archive with these visits, which ended at a time. */
const publishOf = (archiveId: string, end: number, visits: readonly Visit[]) => ({
  machine: 'publish',
  name: `publish-of-${archiveId}`,
  input: JSON.stringify({ key: `1/${archiveId}/archive.mp4` }),
  stopDate: new Date(end * 1_000),
  history: visits.flatMap(([name, from, to, hasTurn], index) => [
    { id: 2 * index + 1, timestamp: new Date(from * 1_000), stateEnteredEventDetails: { name } },
    {
      ...{ id: 2 * index + 2, timestamp: new Date(to * 1_000) },
      stateExitedEventDetails: { name, output: JSON.stringify({ hasTurn }) },
    },
  ]),
})

const problems = (executions: object[], sizes: Readonly<Record<string, number>> = {}, files = new Map()) =>
  limitedPublishes({
    ...{ files, trace: [], maxPublishes: MAX_PUBLISHES },
    executions,
    objects: new Map(Object.entries(sizes).map(([id, size]) => [`1/${id}/archive.mp4`, { size }])),
  } as unknown as Evidence)

const turns = (count: number) =>
  Array.from({ length: count }, (_, index) => publishOf(`a${index}`, 20, [[READY, index, index + 1, true]]))

describe('limitedPublishes', () => {
  it('finds one publish too many', () => {
    expect(problems(turns(MAX_PUBLISHES))).toEqual([])
    expect(problems(turns(MAX_PUBLISHES + 1))).toEqual([`${MAX_PUBLISHES + 1} archives were published at once`])
  })

  it('counts turns only while they last', () => {
    const ended = publishOf('before', 5, [[READY, 0, 1, true]])
    const waits = publishOf('waits', 90, [
      [READY, 0, 1, true],
      [COMPLETE, 5, 6, false],
      [COMPLETE, 60, 61, true],
    ])
    const late = [publishOf('x', 50, [[READY, 10, 11, true]]), publishOf('y', 50, [[READY, 10, 11, true]])]
    expect(problems([ended, waits, ...late])).toEqual([])
  })

  it('finds a turn that was given out of order', () => {
    const waiting = ['a', 'b'].map((id) => publishOf(id, 90, [[READY, 0, 1, false]]))
    const taken = publishOf('c', 90, [[COMPLETE, 5, 6, true]])
    const inTime = publishOf('c', 90, [[READY, 5, 6, true]])
    expect(problems([...waiting, taken])).toContain('c got its turn for complete before ready of a, ready of b')
    expect(problems([...waiting, inTime], { a: 9, b: 9, c: 1 })).toEqual([])
    expect(problems([...waiting, inTime], { a: 1, b: 1, c: 9 })).toHaveLength(1)
  })

  it('finds a turn for the rest that leaves none to an archive which cannot be watched yet', () => {
    const judge = (stage: string, from: number) => {
      const running = publishOf('a', 90, [[READY, 0, 1, true]])
      const waiting = publishOf('b', 90, [[READY, 2, 3, false]])
      return problems([running, waiting, publishOf('c', 90, [[stage, from, from + 1, true]])], { b: 1 })
    }
    expect(judge(COMPLETE, 5)).toEqual(['c got its turn for complete, and left none of 1 to b'])
    expect([...judge(READY, 5), ...judge(COMPLETE, 2)]).toEqual([])
  })

  it('knows the size of archives that were deleted since', () => {
    const waiting = ['a', 'b'].map((id) => publishOf(id, 90, [[READY, 0, 1, false]]))
    const uploaded = new Map(['a', 'b'].map((id) => [id, { size: 9 }]))
    const executions = [...waiting, publishOf('c', 90, [[READY, 5, 6, true]])]
    expect(problems(executions, { c: 5 }, uploaded)).toEqual([])
    expect(problems(executions, { c: 5 })).toHaveLength(1)
  })

  it('finds a publish that waits while every turn is free', () => {
    const polls = Array.from({ length: 9 }, (_, index): Visit => [COMPLETE, 300 * index, 300 * index + 1, false])
    const waits = publishOf('a', 2_700, [[READY, -9, -8, true], ...polls])
    const other = publishOf('b', 600, [[READY, 0, 1, true]])
    const until = publishOf('b', 900, [[READY, 0, 1, true]])
    expect(problems([waits]).join()).toContain('publish-of-a for complete got no turn in 30 minutes')
    expect(problems([waits, other])).toHaveLength(1)
    expect(problems([waits, until])).toEqual([])
  })
})
