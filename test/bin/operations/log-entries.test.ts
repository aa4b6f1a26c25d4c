import { describe, expect, it } from 'vitest'
import { entriesOf, entryLine, groupedLines, selectEntries } from '../../../bin/operations/log-entries.ts'

const at = '2026-11-20T10:00:02.000Z'
const line = (name: string, text: string) => ({ at, name, text })

describe('entriesOf', () => {
  it('names the task and what it logged, without fields for machines', () => {
    const fields = {
      level: 'WARN',
      message: 'slow',
      task: 'openSession',
      showId: 'a',
      requestId: 'r',
      milliseconds: 5,
      tries: 2,
    }
    expect(entriesOf([line('OpenSession2B34CB87', JSON.stringify(fields))])).toEqual([
      { at, task: 'openSession', level: 'warn', text: 'slow in 5 ms tries=2', isRead: false },
    ])
  })

  it('gives the lines of a stack trace the level of the error', () => {
    const entries = entriesOf([line('Sweep12345678', 'Error of a'), line('Sweep12345678', '    at one\u001b[2J')])
    expect(entries.map(({ task, level, text }) => [task, level, text])).toEqual([
      ['Sweep', 'error', 'Error of a'],
      ['Sweep', 'error', '      at one [2J'],
    ])
  })

  it('recognizes reads of the API', () => {
    const api = (route: string) =>
      line('ApiF70053CD', JSON.stringify({ level: 'INFO', message: 'done', task: 'api', route }))
    const entries = entriesOf([
      api('GET /shows/{id}'),
      api('POST /shows/{id}/stop'),
      line('AccessLog', '{"route":"-"}'),
    ])
    expect(entries.map(({ isRead }) => isRead)).toEqual([true, false, true])
    const texts = (reads: boolean) => selectEntries(entries, { level: 'info', reads }).length
    expect([texts(false), texts(true)]).toEqual([1, 3])
  })
})

describe('groupedLines', () => {
  const entry = (task: string, level: 'info' | 'error', text: string) => ({ at, task, level, text, isRead: false })

  it('groups entries by task', () => {
    const lines = groupedLines([entry('a', 'info', '1'), entry('b', 'info', '2'), entry('a', 'info', '3')], false)
    expect(lines.map((text) => text.replace(/\d\d:\d\d:\d\d/, 'time'))).toEqual([
      ...['a:', '  time  1', '  time  3'],
      ...['b:', '  time  2'],
    ])
  })

  it('colors errors where colors are shown', () => {
    expect(entryLine(entry('a', 'error', 'no'), true)).toMatch(/^.\[31m\S+ {2}ERROR no.\[39m$/)
    expect(entryLine(entry('a', 'info', 'yes'), true)).toMatch(/^\S+ {2}yes$/)
  })
})
