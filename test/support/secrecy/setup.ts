import { afterAll } from 'vitest'
import { secrecy } from './per-file.ts'

/** Runs last in a test file, since it is registered first. */
afterAll(() => {
  const leaks = secrecy.takeLeaks()
  secrecy.forget()
  if (leaks.length > 0)
    throw new Error(`Tests printed or stored secrets. Remove them from this output.\n  ${leaks.join('\n  ')}`)
})
