import { describe, expect, it } from 'vitest'
import { readSelectors } from '../../../../../lib/platform/layouts/stylesheet/selectors.ts'
import { tokenize } from '../../../../../lib/platform/layouts/stylesheet/tokens.ts'

/** Five streams with these classes. */
const STREAMS = ['main', '', 'side', 'side tall', ''].map((classes) => ({
  layoutClasses: classes.split(' ').filter(Boolean),
}))

const read = (text: string) => readSelectors(tokenize(text), 7)
/** Returns the numbers of the streams, from 1, that any of the selectors matches. */
const matched = (text: string) => {
  const selectors = read(text)
  return STREAMS.flatMap((_, index) =>
    selectors.some((selector) => selector.matches(STREAMS, index)) ? [index + 1] : [],
  ).join(' ')
}

describe('readSelectors', () => {
  it.each([
    ['stream', '1 2 3 4 5'],
    ['STREAM', '1 2 3 4 5'],
    ['stream.main', '1'],
    ['.side', '3 4'],
    ['.side.tall', '4'],
    ['.Side', ''],
    [' .main , stream.tall ', '1 4'],
    [':first-child', '1'],
    ['stream:last-child', '5'],
    ['stream:nth-child(2)', '2'],
    ['stream:nth-child(odd)', '1 3 5'],
    ['stream:nth-child( even )', '2 4'],
    ['stream:nth-child(n+4)', '4 5'],
    ['stream:nth-child(-n+2)', '1 2'],
    ['stream:nth-child(3n - 1)', '2 5'],
    ['stream:nth-child(n)', '1 2 3 4 5'],
    ['stream:nth-child(0n+3)', '3'],
    ['stream:nth-child(0)', ''],
    ['stream:nth-last-child(1)', '5'],
    ['stream:nth-last-child(-n+2)', '4 5'],
    ['.side:nth-child(4)', '4'],
    ['.main + stream', '2'],
    ['.main+.side', ''],
    ['.side ~ stream', '4 5'],
    ['.main ~ .side + stream', '4 5'],
    ['stream:first-child:nth-last-child(5), stream:first-child:nth-last-child(5) ~ stream', '1 2 3 4 5'],
    ['stream:first-child:nth-last-child(4) ~ stream', ''],
  ])('%s matches the streams %s of five', (text, expected) => {
    expect(matched(text)).toBe(expected)
  })

  it.each([
    ['stream', 1],
    ['.main', 1_000],
    ['stream.main:first-child', 2_001],
    ['stream.main ~ stream', 1_002],
  ])('%s has a specificity of %d', (text, specificity) => {
    expect(read(text)[0]?.specificity).toBe(specificity)
  })

  it.each([
    ['*', 'the selector "*" is not supported; use stream, .class,'],
    ['archive', 'the selector "archive" is not supported'],
    ['#a', 'the selector "#a" is not supported'],
    ['stream[name]', 'the selector "stream[name]" is not supported'],
    ['stream::before', 'the selector "stream::before" is not supported'],
    ['stream:hover', 'the selector "stream:hover" is not supported'],
    ['.a > .b', 'streams have no parents and children: use + or ~ instead of ">"'],
    ['.a .b', 'streams have no parents and children: use + or ~ instead of "."'],
    ['.a +', 'the selector ".a +" is not supported'],
    ['.a,', 'a selector is missing'],
    ['', 'a selector is missing'],
    ['stream:nth-child', 'nth-child needs a number in parentheses'],
    ['stream:nth-child(2', 'nth-child needs a number in parentheses'],
    ['stream:nth-child(x)', '"x" is not a place: write a number, odd, even or a formula such as 2n+1'],
  ])('refuses %j', (text, problem) => {
    expect(() => read(text)).toThrow(problem)
  })
})
