import { afterAll } from 'vitest'
import './kept.ts'
import { secrecy } from './of-this-file.ts'
import './shown.ts'

/** Runs after everything else of a test file, since it was asked for first. */
afterAll(() => {
  const leaks = secrecy.tellLeaks()
  if (leaks.length > 0) throw new Error(`Something secret was shown: keep it back.\n  ${leaks.join('\n  ')}`)
})
