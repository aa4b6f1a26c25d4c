import { describe, expect, it } from 'vitest'
import { exportProblems } from './exports.ts'
import { readSources } from './sources.ts'

describe('exports', () => {
  it('are used by another file', () => {
    expect(exportProblems(readSources('bin', 'lib', 'lambdas', 'local', 'bench', 'test'))).toEqual([])
  })
})

describe('exportProblems', () => {
  const one = {
    path: 'lib/one.ts',
    text: 'export const used = 1\nexport async function spare() {}\nexport interface Shape {}',
  }
  const other = { path: 'lib/other.ts', text: "import { used } from './one.ts'\nexport const handler = used" }

  it('names a value that is exported for nobody', () => {
    expect(exportProblems([one, other])).toEqual([
      'lib/one.ts exports spare, which no other file uses: keep it to itself, or delete it.',
    ])
    expect(exportProblems([one, { ...other, text: `${other.text} + spare()` }])).toEqual([])
  })
})
