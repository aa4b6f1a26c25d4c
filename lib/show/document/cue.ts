import { z } from 'zod'
import { nextLayout } from '../../platform/contract/layouts.ts'
import { signalOrder } from './announcements.ts'
import type { BroadcastOrder } from './broadcast.ts'
import { always, orderName } from './fields/order-names.ts'
import type { RecordingOrder } from './recording.ts'

/** Cues of one show. */
export const MAX_CUES = 50

/** One entry of `cues`: a signal or a change of a layout at a planned time of the show. */
export const cueOrder = z
  .strictObject({
    at: z.int().min(0).describe('Seconds of live time, counted as duration is.'),
    signal: signalOrder.optional().describe('Is sent to every participant.'),
    layout: nextLayout.strict().optional().describe('New layout of a recording or a broadcast.'),
    recording: orderName.optional().describe('Name of the recording whose layout changes.'),
    broadcast: orderName.optional().describe('Name of the broadcast whose layout changes.'),
  })
  .superRefine(({ signal, layout, recording, broadcast }, context) => {
    const refuse = (message: string, ...path: string[]) => context.addIssue({ code: 'custom', path, message })
    if ((signal === undefined) === (layout === undefined)) refuse('needs either signal or layout')
    if (layout !== undefined && (recording === undefined) === (broadcast === undefined))
      refuse('needs either recording or broadcast')
    for (const [field, value] of Object.entries({ recording, broadcast }))
      if (layout === undefined && value !== undefined) refuse('is only for a layout', field)
  }, always)

export type CueOrder = z.output<typeof cueOrder>

interface Orders {
  readonly duration: number
  readonly recordings: readonly Pick<RecordingOrder, 'name' | 'outputMode'>[]
  readonly broadcasts: readonly Pick<BroadcastOrder, 'name'>[]
}

/** Returns the field and the message of a cue that does not fit its show. */
export function problemOfCue(
  { at, recording, broadcast }: CueOrder,
  { duration, recordings, broadcasts }: Orders,
): { readonly field: keyof CueOrder; readonly message: string } | undefined {
  if (at >= duration) return { field: 'at', message: `must be before the end of the show, which lasts ${duration} s` }
  const named = recordings.find(({ name }) => name === recording)
  if (recording !== undefined && !named)
    return { field: 'recording', message: `names no recording of the show: ${recording}` }
  if (named?.outputMode === 'individual')
    return { field: 'recording', message: 'must name a recording with outputMode composed: others have no layout' }
  if (broadcast !== undefined && !broadcasts.some(({ name }) => name === broadcast))
    return { field: 'broadcast', message: `names no broadcast of the show: ${broadcast}` }
  return undefined
}
