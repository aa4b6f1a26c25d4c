import { z } from 'zod'
import { limits } from '../../platform/contract/limits.ts'
import { PRINTABLE, printable } from './fields/texts.ts'

const bytes = (max: number) =>
  z
    .string()
    .min(1)
    .refine((text) => new TextEncoder().encode(text).length <= max, { message: `must have at most ${max} bytes` })
    // A character has at least one byte.
    .meta({ maxLength: max })

/** A signal to every participant. */
export const signalOrder = z.strictObject({
  type: bytes(limits.signalType.value)
    .refine(...printable)
    .meta({ pattern: PRINTABLE })
    .describe(`Type by which apps distinguish signals: one line of at most ${limits.signalType.value} bytes.`),
  data: bytes(limits.signalData.value).describe(`The message; at most ${limits.signalData.value} bytes.`),
})

/** Signals that are sent at certain moments of a show. */
export const announcements = z.strictObject({
  recordingStarted: signalOrder.optional().describe('Sent once the recordings have started.'),
  recordingStopped: signalOrder.optional().describe('Sent once the recordings are stopped.'),
})

export type SignalOrder = z.output<typeof signalOrder>
