import { afterAll } from 'vitest'
import { secrecy } from './per-file.ts'

/** Runs after everything else of a test file, since it was asked for first. */
afterAll(() => {
  const leaks = secrecy.takeLeaks()
  secrecy.forget()
  if (leaks.length > 0) throw new Error(`Something secret was shown: keep it back.\n  ${leaks.join('\n  ')}`)
})
