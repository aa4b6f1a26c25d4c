import { describe, expect, it } from 'vitest'
import { readSources, type Source } from './sources.ts'

const linesIn = ({ text }: Source) => text.split('\n').length - (text.endsWith('\n') ? 1 : 0)

/** Files with more lines than the bound, the longest first. */
const tooLong = (sources: readonly Source[], bound: number) =>
  sources
    .filter((source) => linesIn(source) > bound)
    .sort((one, other) => linesIn(other) - linesIn(one))
    .map(
      (source) => `${source.path} has ${linesIn(source)} lines: divide it by purpose into files of at most ${bound}.`,
    )

describe('length', () => {
  it('of a source file is at most 300 lines', () => {
    expect(tooLong(readSources('bin', 'lib', 'lambdas', 'local', 'bench', 'web'), 300)).toEqual([])
  })

  it('of a test file is at most 400 lines', () => {
    expect(tooLong(readSources('test'), 400)).toEqual([])
  })

  it('is counted to the line', () => {
    const file = (path: string, lines: number) => ({ path, text: 'line\n'.repeat(lines) })
    expect(tooLong([file('lib/a.ts', 300), file('lib/b.ts', 301), file('lib/c.ts', 302)], 300)).toEqual([
      'lib/c.ts has 302 lines: divide it by purpose into files of at most 300.',
      'lib/b.ts has 301 lines: divide it by purpose into files of at most 300.',
    ])
  })
})
