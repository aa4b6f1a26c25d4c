import { describe, expect, it } from 'vitest'
import { createQueryAnswers } from '../../../../local/sandbox/state/query-answers.ts'

interface Row {
  readonly id: string
  readonly sessionId: string
  readonly status: string
}

const row = (id: string, sessionId: string): Row => ({ id, sessionId, status: 'started' })

function openAnswers() {
  const answers = createQueryAnswers<Row>(['sessionId'])
  let reads = 0
  const ask = (match: Partial<Row>, ...query: unknown[]) => answers.remember(match, query, () => ++reads)
  return { answers, ask }
}

describe('createQueryAnswers', () => {
  it('reads each query of each match once', () => {
    const { ask } = openAnswers()
    expect([ask({ sessionId: 'a' }, 'find'), ask({ sessionId: 'a' }, 'find')]).toEqual([1, 1])
    expect([ask({ sessionId: 'a' }, 'count'), ask({ sessionId: 'b' }, 'find'), ask({}, 'find')]).toEqual([2, 3, 4])
    expect(ask({ sessionId: 'a', status: 'stopped' }, 'find')).toBe(5)
  })

  it('reads again what a changed record may match, and nothing else', () => {
    const { answers, ask } = openAnswers()
    for (const match of [{ sessionId: 'a' }, { sessionId: 'b' }, { status: 'started' }]) ask(match, 'find')
    answers.forget(row('1', 'a'))
    expect(ask({ sessionId: 'b' }, 'find')).toBe(2)
    expect(ask({ sessionId: 'a' }, 'find')).toBe(4)
    expect(ask({ status: 'started' }, 'find')).toBe(5)
  })

  it('answers more queries than it keeps', () => {
    const { ask } = openAnswers()
    for (let index = 0; index < 25_000; index++) expect(ask({ sessionId: `${index}` }, 'find')).toBe(index + 1)
  })
})
