import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cacheFolder } from '../../../../lib/constructs/deploy/cache-folder.ts'

/** Holds no folder that a program can create, for any user. */
const READ_ONLY = '/proc'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'showrunner-test-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('cacheFolder', () => {
  it('is below the checkout, and is created', () => {
    const found = cacheFolder(`${folder}/`, 'bundles', { environment: { HOME: READ_ONLY } })
    expect([found, statSync(found).isDirectory()]).toEqual([join(folder, '.showrunner/bundles'), true])
  })

  it.each([
    ['linux', '.cache'],
    ['darwin', 'Library/Caches'],
  ] as const)('is below the home directory on %s if the checkout cannot be written to', (platform, own) => {
    const found = cacheFolder(READ_ONLY, 'bundles', { environment: { HOME: folder }, platform })
    expect([found, statSync(found).isDirectory()]).toEqual([join(folder, own, 'showrunner/bundles'), true])
  })

  it('is below XDG_CACHE_HOME, if that is set', () => {
    const environment = { HOME: READ_ONLY, XDG_CACHE_HOME: folder }
    expect(cacheFolder(READ_ONLY, 'bundles', { environment })).toBe(join(folder, 'showrunner/bundles'))
  })

  it('fails with a sentence when neither can be written to', () => {
    expect(() => cacheFolder(READ_ONLY, 'bundles', { environment: { HOME: READ_ONLY }, platform: 'linux' })).toThrow(
      'Neither /proc/.showrunner/bundles nor /proc/.cache/showrunner/bundles can be written to. Set XDG_CACHE_HOME to a folder for caches.',
    )
  })
})
