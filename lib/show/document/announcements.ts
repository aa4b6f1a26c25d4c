import { z } from 'zod'
import { limits } from '../../platform/contract/limits.ts'
import { printable } from './fields/texts.ts'

const bytes = (most: number) =>
  z
    .string()
    .min(1)
    .refine((text) => new TextEncoder().encode(text).length <= most, { message: `must have at most ${most} bytes` })

/** A signal that every participant gets. */
export const signalOrder = z.strictObject({
  type: bytes(limits.signalType.value)
    .refine(...printable)
    .describe(`What apps tell signals apart by: one line of at most ${limits.signalType.value} bytes.`),
  data: bytes(limits.signalData.value).describe(`The message; at most ${limits.signalData.value} bytes.`),
})

export const announcements = z.strictObject({
  recordingStarted: signalOrder.optional().describe('Sent once the recordings run.'),
  recordingStopped: signalOrder.optional().describe('Sent once they have been stopped.'),
})

export type SignalOrder = z.output<typeof signalOrder>
