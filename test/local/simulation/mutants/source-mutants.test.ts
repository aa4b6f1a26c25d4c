import { describe, expect, it } from 'vitest'
import { mutate } from '../../../../local/simulation/mutants/mutant.ts'
import { mutantsOfSource } from '../../../../local/simulation/mutants/source-mutants.ts'

/** Returns the mutants of a source by their kind, each as a whole source. */
const mutantsOf = (source: string) =>
  mutantsOfSource('a.ts', source).map((mutant) => [mutant.kind, mutate(mutant, () => source)['a.ts']])

describe('mutantsOfSource', () => {
  it.each([
    ['inverts a condition', 'if (a) b', ['condition', 'if (!(a)) b']],
    ['inverts the condition of an expression', 'c = a ? b : d', ['condition', 'c = !(a) ? b : d']],
    ['exchanges the operator of a condition', 'f(a && b)', ['condition', 'f(((a) || (b)))']],
    ['omits a negation', 'f(!a)', ['condition', 'f((a))']],
    ['moves the boundary of a comparison', 'f(a < (b))', ['comparison', 'f(a <= (b))']],
    ['inverts an equality', 'f(a === b)', ['comparison', 'f(a !== b)']],
    ['exchanges the operator of a calculation', 'f(a * b)', ['arithmetic', 'f(a / b)']],
    ['doubles a number', 'f(30)', ['number', 'f(60)']],
    ['exchanges 0 and 1', 'f(0)', ['number', 'f(1)']],
    ['inverts a boolean', 'f(true)', ['boolean', 'f(false)']],
    ['changes a text', "f('it’s')", ['text', "f('it’sX')"]],
    ['omits a default', 'f(a ?? b)', ['default', 'f((a))']],
    ['omits a filter', 'f(a.b.filter(c))', ['list', 'f(a.b)']],
    ['exchanges minimum and maximum', 'f(Math.min(a, b))', ['bound', 'f(Math.max(a, b))']],
    ['omits an await', '{ await f() }', ['await', '{ void f() }']],
    ['removes a statement', '{ f() }', ['statement', '{ ; }']],
    ['removes a throw', 'throw a', ['statement', ';']],
    ['returns early', 'function f() { a; b }', ['early return', 'function f() { return undefined as never; a; b }']],
  ])('%s', (_, source, expected) => {
    expect(mutantsOf(source)).toContainEqual(expected)
  })

  it.each([
    ['types', "type A = 'a' | 1\nlet a: Array<'b'> = b as C<'d'>"],
    ['imports', "import { a } from './a.ts'\nexport { b } from 'b'"],
    ['joined texts', 'f(a + ` b` + c)'],
    ['keys', "f({ 'a-b': c })"],
    ['messages of errors', "f(new Error('a'))"],
    ['descriptions of fields', "z.int().describe('a')"],
  ])('leaves %s', (_, source) => {
    expect(mutantsOf(source)).toEqual([])
  })

  it('describes the change and its place', () => {
    const [mutant] = mutantsOfSource('lib/a.ts', '// ’\n\nexport const A =\n  120\n')
    expect(mutant).toMatchObject({ at: 'lib/a.ts:4', what: '120 → 240', kind: 'number' })
  })
})
