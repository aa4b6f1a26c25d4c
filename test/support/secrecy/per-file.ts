import { expect } from 'vitest'
import { createSecrecy } from './secrecy.ts'

/** Of the test file that runs: at its end all is told and forgotten, since the next one may run in the same process. */
export const secrecy = createSecrecy(() => expect.getState().currentTestName ?? '')
