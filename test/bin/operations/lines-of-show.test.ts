import { describe, expect, it } from 'vitest'
import { linesOfShow } from '../../../bin/operations/lines-of-show.ts'

const at = '2026-11-20T10:00:00.000Z'
const line = (text: string, name = 'Api') => ({ at, name, text })
const found = (...lines: ReturnType<typeof line>[]) => linesOfShow('series', lines).map(({ text }) => text)

describe('linesOfShow', () => {
  it.each([
    ['its id', 'The sweep of show series failed:'],
    ['a closing execution', 'execution:show:series-close-2 failed'],
    ['a structured line that names it', '{"message":"Started.","showId":"series"}'],
    ['a structured line with its id in the words', '{"message":"series is over"}'],
  ])('finds %s', (_, text) => {
    expect(found(line(text))).toEqual([text])
  })

  it.each([
    ['a show whose id begins like it', 'series-20261201t1900 started'],
    ['a show whose id ends like it', 'the-series started'],
    ['a longer word', 'serieses'],
    ['a structured line of another show that mentions it', '{"message":"not series","showId":"other"}'],
  ])('leaves out %s', (_, text) => {
    expect(found(line(text))).toEqual([])
  })

  it('includes the indented lines that follow, by function', () => {
    const lines = [
      line('Error of series'),
      line('Error of other', 'Sweep'),
      line('    at one'),
      line('    at two', 'Sweep'),
      line('other'),
      line('    at three'),
    ]
    expect(found(...lines)).toEqual(['Error of series', '    at one'])
  })
})
