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

  it('has the message of an error once, without its stack', () => {
    const message = 'The bucket did not answer.'
    const error = { name: 'StorageError', message, stack: `StorageError: ${message}\n    at put (storage.mjs:1:1)` }
    const failed = { level: 'ERROR', message: 'failed', task: 'report', milliseconds: 7, error }
    const entries = entriesOf([
      line('Report12345678', JSON.stringify(failed)),
      line('Report12345678', `StorageError: ${message}`), // as Lambda repeats it
      line('Report12345678', '    at put (storage.mjs:1:1)'),
      line('Report12345678', 'StorageError: another one'),
      line('Report12345678', '    at get (storage.mjs:2:1)'),
    ])
    expect(entries.map(({ text }) => text)).toEqual([
      `failed in 7 ms StorageError: ${message}`,
      'StorageError: another one',
      '      at get (storage.mjs:2:1)',
    ])
  })

  it('has no stack of an attempt that was too early', () => {
    const reason = 'The records do not hold the event.'
    const early = { level: 'INFO', message: 'not yet', task: 'notifyOwner', milliseconds: 7, reason }
    const entries = entriesOf([
      line('NotifyOwner1234ABCD', JSON.stringify(early)),
      line('NotifyOwner1234ABCD', `EventNotRecordedError: ${reason}`),
      line('NotifyOwner1234ABCD', '    at handler (index.mjs:43:11)'),
    ])
    expect(entries.map(({ level, text }) => [level, text])).toEqual([['info', `not yet in 7 ms reason=${reason}`]])
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
