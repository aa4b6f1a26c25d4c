import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readMistakes } from '../../../bin/mutants/read-mistakes.ts'

const edit = { file: 'lib/show/plan/rescue-policy.ts', text: 'RESCUE_AGE =', instead: 'AGE =' }
const mistake = { what: 'another age', edits: [edit] }

describe('readMistakes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mistakes-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const read = (written: unknown) => {
    const path = join(folder, 'mistakes.json')
    writeFileSync(path, typeof written === 'string' ? written : JSON.stringify(written))
    return readMistakes(path)
  }

  it('reads a list', () => {
    expect(read([mistake])).toEqual([mistake])
  })

  it.each([
    ['text', 'cannot be read as JSON'],
    [[], 'as a whole: Too small'],
    [[mistake, { ...mistake, edits: [] }], '1.edits: Too small'],
    [[{ ...mistake, edits: [{ ...edit, file: '../lib/show.ts' }] }], '0.edits.0.file: this is not a TypeScript file'],
    [[{ ...mistake, edits: [{ ...edit, file: 'lib/missing.ts' }] }], '0.edits.0.file: there is no such file'],
  ])('refuses %j', (written, reason) => {
    expect(() => read(written)).toThrow(reason)
  })

  it('says which file cannot be read', () => {
    expect(() => readMistakes('missing.json')).toThrow('missing.json cannot be read as JSON: ENOENT')
  })
})
