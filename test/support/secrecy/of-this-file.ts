import { expect } from 'vitest'
import { createSecrecy } from './secrecy.ts'

/** Of the test file that runs: each has memory of its own, and so do its secrets. */
export const secrecy = createSecrecy(() => expect.getState().currentTestName ?? '')
