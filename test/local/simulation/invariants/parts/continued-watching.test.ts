import { describe, expect, it } from 'vitest'
import { continuedWatching } from '../../../../../local/simulation/invariants/parts/continued-watching.ts'

type Execution = Parameters<typeof continuedWatching>[0]['executions'][number]

const watching = (status: Execution['status'], last: string): Execution => ({
  ...{ machine: 'watch', name: 'one', status },
  history: ['Watch show', last].map((name) => ({
    stateEnteredEventDetails: { name },
  })) as unknown as Execution['history'],
})

describe('continuedWatching', () => {
  it('finds an execution that a failed rollover ended', () => {
    expect(continuedWatching({ executions: [watching('FAILED', 'Roll over')] })).toEqual([
      'the execution one of watch ended in the state Roll over',
    ])
  })

  it('accepts executions that end otherwise', () => {
    const executions = [watching('FAILED', 'Watch show'), watching('ABORTED', 'Roll over')]
    expect(continuedWatching({ executions: [...executions, watching('SUCCEEDED', 'Watched')] })).toEqual([])
  })
})
