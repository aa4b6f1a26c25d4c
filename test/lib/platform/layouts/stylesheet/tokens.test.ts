import { describe, expect, it } from 'vitest'
import { tokenize } from '../../../../../lib/platform/layouts/stylesheet/tokens.ts'

describe('tokenize', () => {
  it.each([
    ['', []],
    ['stream', ['word stream']],
    ['.lower-left', ['mark .', 'word lower-left']],
    ['width: 33.33%', ['word width', 'mark :', 'space', 'number 33.33%']],
    ['-4px +.5% 0', ['number -4px', 'space', 'number +.5%', 'space', 'number 0']],
    ['2n+1', ['number 2n', 'number +1']],
    ['-n+3', ['word -n', 'number +3']],
    ['a/* b { c: d } */e', ['word a', 'word e']],
    ['größe', ['word größe']],
    ['a~b>c', ['word a', 'mark ~', 'word b', 'mark >', 'word c']],
  ])('splits %j', (css, expected) => {
    expect(tokenize(css).map(({ kind, text }) => (kind === 'space' ? kind : `${kind} ${text}`))).toEqual(expected)
  })

  it('counts lines, also in comments', () => {
    expect(tokenize('a\nb /* \n\n */ c').map(({ text, line }) => `${text.trim()} ${line}`)).toEqual([
      'a 1',
      ' 1',
      'b 2',
      ' 2',
      ' 4',
      'c 4',
    ])
  })

  it.each([
    ['@media print {}', 'at-rules (@)'],
    ['stream[title="x"]', 'strings (")'],
    ["a'b'", "strings (')"],
    ['.a\\:b {}', 'escapes (\\)'],
    ['/* no end', 'comments without an end'],
  ])('refuses %j by name and line', (css, name) => {
    expect(() => tokenize(`stream {}\n${css}`)).toThrow(
      `Line 2 of the stylesheet cannot be drawn: ${name} are not supported.`,
    )
  })

  it('takes linear time for a long stylesheet', () => {
    expect(tokenize('stream.a{width:1px;}'.repeat(20_000))).toHaveLength(180_000)
  })
})
