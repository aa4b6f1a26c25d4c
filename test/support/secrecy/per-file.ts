import { expect } from 'vitest'
import { createSecrecy } from './secrecy.ts'

/**
 * The secrets and output of the current test file. They are reset at its end, since the next file may run in the same
 * process.
 */
export const secrecy = createSecrecy(() => expect.getState().currentTestName ?? '')
