import { z } from 'zod'
import { layoutRules, nextLayout } from '../../platform/contract/layouts.ts'
import { exactlyOne, has, never, when } from '../../platform/contract/schema-rules.ts'
import { signalOrder } from './announcements.ts'
import type { BroadcastOrder } from './broadcast.ts'
import { always, orderName } from './fields/order-names.ts'
import { notBlank, oneLine, visible } from './fields/texts.ts'
import type { RecordingOrder } from './recording.ts'

/** Cues of one show. */
export const MAX_CUES = 50

/** Characters of a marker's title: one line of a list of chapters. */
export const MAX_MARKER = 100

/** The title of a marker, of a cue or of a request. */
export const markerTitle = oneLine(MAX_MARKER)
  .min(1)
  .refine(...notBlank)
  .meta(visible)

/** One entry of `cues`: a signal, a change of a layout, or a marker at a planned time of the show. */
export const cueOrder = z
  .strictObject({
    at: z.int().min(0).describe('Seconds of live time, counted as duration is; before the end of the show.'),
    signal: signalOrder.optional().describe('Is sent to every participant.'),
    layout: nextLayout.strict().meta(layoutRules).optional().describe('New layout of a recording or a broadcast.'),
    marker: markerTitle
      .optional()
      .describe(
        `Title of a chapter of the recordings that begins at this time: one line of up to ${MAX_MARKER} characters.`,
      ),
    recording: orderName
      .optional()
      .describe('Name of the recording whose layout changes, or that has the chapter; all have it by default.'),
    broadcast: orderName.optional().describe('Name of the broadcast whose layout changes.'),
  })
  .superRefine(({ signal, layout, marker, recording, broadcast }, context) => {
    const refuse = (message: string, ...path: string[]) => context.addIssue({ code: 'custom', path, message })
    if ([signal, layout, marker].filter((one) => one !== undefined).length !== 1)
      refuse('needs exactly one of signal, layout and marker')
    if (layout !== undefined && (recording === undefined) === (broadcast === undefined))
      refuse('needs either recording or broadcast')
    if (layout !== undefined) return
    if (recording !== undefined && marker === undefined) refuse('is only for a layout or a marker', 'recording')
    if (broadcast !== undefined) refuse('is only for a layout', 'broadcast')
  }, always)
  .meta({
    ...exactlyOne('signal', 'layout', 'marker'),
    ...when(has({ layout: {} }), exactlyOne('recording', 'broadcast')),
    ...never(
      has({ signal: {}, recording: {} }),
      has({ signal: {}, broadcast: {} }),
      has({ marker: {}, broadcast: {} }),
    ),
  })

export type CueOrder = z.output<typeof cueOrder>

interface Orders {
  readonly duration: number
  readonly recordings: readonly Pick<RecordingOrder, 'name' | 'outputMode'>[]
  readonly broadcasts: readonly Pick<BroadcastOrder, 'name'>[]
}

/** Returns the field and the message of a cue that does not fit its show. */
export function problemOfCue(
  { at, marker, recording, broadcast }: CueOrder,
  { duration, recordings, broadcasts }: Orders,
): { readonly field: keyof CueOrder; readonly message: string } | undefined {
  if (at >= duration) return { field: 'at', message: `must be before the end of the show, which lasts ${duration} s` }
  if (marker !== undefined && recordings.length === 0)
    return { field: 'marker', message: 'needs a recording in the show' }
  const named = recordings.find(({ name }) => name === recording)
  if (recording !== undefined && !named)
    return { field: 'recording', message: `names no recording of the show: ${recording}` }
  if (named?.outputMode === 'individual' && marker === undefined)
    return { field: 'recording', message: 'must name a recording with outputMode composed: others have no layout' }
  if (broadcast !== undefined && !broadcasts.some(({ name }) => name === broadcast))
    return { field: 'broadcast', message: `names no broadcast of the show: ${broadcast}` }
  return undefined
}

/** Returns the markers of one recording, in seconds of live time. */
export const markersOf = (
  { cues }: { readonly cues: readonly CueOrder[] },
  recording: string,
): { readonly at: number; readonly title: string }[] =>
  cues.flatMap(({ at, marker: title, ...cue }) =>
    title !== undefined && (cue.recording ?? recording) === recording ? { at, title } : [],
  )
