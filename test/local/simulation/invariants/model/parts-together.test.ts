import { describe, expect, it } from 'vitest'
import { partsTogether } from '../../../../../local/simulation/invariants/model/parts-together.ts'
import { change, showWith, watchFaultAt } from '../made-up-evidence.ts'

const LIMIT = 14_400_000
const DUE = LIMIT - 120_000
const run = (name: string, part: number, from: number, to: number) => {
  const about = { id: `${name}-${part}`, tag: `a-show/${name}/${part}` }
  return [change(from, about), change(to, { ...about, status: 'stopped' })]
}
const task = (caller: string, from: number, to: number) => [
  { at: from, line: `    0.000 cloud -> ${caller} invoked` },
  { at: to, line: `    0.000 ${caller} -> cloud done` },
]
const judge = ({
  second = DUE + 10_000,
  began = 10_000,
  failedCalls = [watchFaultAt(0)],
  isOne = false,
  others = [] as ReturnType<typeof run>,
} = {}) =>
  partsTogether({
    shows: [showWith()],
    statusChanges: [
      ...run('one', 1, 0, DUE + 15_000),
      ...run('two', 1, began, second + 15_000),
      ...run('one', 2, DUE, LIMIT * 2),
      ...run('two', 2, second, LIMIT * 2),
      ...others,
    ],
    trace: isOne
      ? task('RollOver', DUE - 1, second + 1)
      : [...task('RollOver', DUE - 1, DUE + 1), ...task('RollOver', second - 1, second + 1)],
    failedCalls,
  })

describe('partsTogether', () => {
  it('finds next parts of the same time that two tasks start', () => {
    expect(judge()).toEqual(['part 2 of one and part 2 of two were started by two tasks'])
    expect(judge({ isOne: true })).toEqual([])
  })

  it('accepts parts that began at other times, and a fault between them', () => {
    expect(judge({ began: 60_000, second: DUE + 60_000 })).toEqual([])
    expect(judge({ failedCalls: [watchFaultAt(DUE)] })).toEqual([])
  })

  it('accepts a task that a failed part has started, since it is earlier than the limits of the others', () => {
    const others = [...run('three', 1, DUE - 60_000, DUE - 15_000), ...run('three', 2, DUE, LIMIT * 2)]
    expect(judge({ others })).toEqual([])
  })
})
