import { describe, expect, it } from 'vitest'
import { readSources, type Source } from './sources.ts'

const call = /toMatchObject\((?:[^()]|\([^()]*\))*\)/g
/** A regular expression as a value of an object or a list, outside a matcher such as `stringMatching`. */
const pattern = /[:[,]\s*(\/(?![/*])(?:\\.|\[[^\]\n]*\]|[^/\n\\])+\/[a-z]*)\s*[,}\]]/

/** Assertions that no value fails: `toMatchObject` compares the properties of a regular expression, which has none. */
const vacuous = (sources: readonly Source[]) =>
  sources.flatMap(({ path, text }) =>
    [...text.matchAll(call)].flatMap(([assertion]) => {
      const [, found] = pattern.exec(assertion) ?? []
      return found ? [`${path} matches anything with ${found}: use expect.stringMatching(${found}).`] : []
    }),
  )

describe('assertions', () => {
  it('pass no regular expression to toMatchObject, which would match any value', () => {
    const tests = readSources('test', 'examples').filter(({ path }) => !path.startsWith('test/laws/'))
    expect(vacuous(tests)).toEqual([])
  })

  it('are found in objects and lists, on one line or several', () => {
    const texts = [
      'expect(a).toMatchObject({ message: /b/ })',
      "rejects.toMatchObject({\n  name: 'A',\n  message: /^b.c\\/d$/i,\n})",
      'expect(a).toMatchObject([f(1), /b/])',
    ]
    const allowed = [
      'expect(a).toMatchObject({ message: expect.stringMatching(/b/) })',
      'expect(a).toMatchObject({ b: /c/.test(d) ? 1 : 2 })',
      "expect(a).toMatchObject({ b: 'c' }) // d: /e/, f",
    ]
    const sources = [...texts, ...allowed].map((text, index) => ({ path: `${index}.ts`, text }))
    expect(vacuous(sources).map((problem) => problem.split(' ')[0])).toEqual(['0.ts', '1.ts', '2.ts'])
  })
})
