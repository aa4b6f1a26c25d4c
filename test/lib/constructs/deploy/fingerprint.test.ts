import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { markUsed, removeOldest } from '../../../../lib/constructs/deploy/fingerprint.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fingerprint-test-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Makes entries, the first one as the oldest. */
function make(...names: readonly string[]): void {
  for (const [index, name] of names.entries()) {
    mkdirSync(join(folder, name))
    utimesSync(join(folder, name), index + 1, index + 1)
  }
}

describe('removeOldest', () => {
  it('keeps the entries that were made last, and locks', () => {
    make('a', 'b', 'c')
    writeFileSync(join(folder, 'd.lock'), '')
    removeOldest(folder, 2)
    expect(readdirSync(folder).sort()).toEqual(['b', 'c', 'd.lock'])
  })

  it('keeps five by default', () => {
    make('a', 'b', 'c', 'd', 'e', 'f')
    removeOldest(folder)
    expect(readdirSync(folder).sort()).toEqual(['b', 'c', 'd', 'e', 'f'])
  })
})

describe('markUsed', () => {
  it('keeps an old entry that is in use', () => {
    make('a', 'b', 'c')
    markUsed(join(folder, 'a'))
    removeOldest(folder, 2)
    expect(readdirSync(folder).sort()).toEqual(['a', 'c'])
  })

  it('ignores an entry that another process has removed', () => {
    expect(() => markUsed(join(folder, 'a'))).not.toThrow()
  })
})
