import { z } from 'zod'
import { limits } from '../../../platform/contract/limits.ts'

const MAX_DIGITS = 100

/** DTMF digits that the platform plays. */
export const toneDigits = z
  .string()
  .max(MAX_DIGITS)
  .regex(/^[0-9*#p]+$/, 'must consist of 0-9, *, # and p')
  .describe(`0-9, * and #, up to ${MAX_DIGITS}; p waits ${limits.dtmfPause.value} s.`)
