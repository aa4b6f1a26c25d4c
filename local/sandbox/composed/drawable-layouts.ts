import type { z } from 'zod'
import { MediaError } from '../../../lib/media/media-error.ts'
import type { layout } from '../../../lib/platform/contract/layouts.ts'
import { Refusal } from '../http/refusal.ts'
import { checkLayout } from '../media/composing/check-layout.ts'

/**
 * Refuses a layout whose stylesheet does more than place streams.
 * @throws {@link Refusal} 400 that names the unsupported rule
 */
export function refuseUndrawable(wanted: z.output<typeof layout>): void {
  try {
    checkLayout(wanted)
  } catch (error) {
    if (error instanceof MediaError) throw new Refusal(400, error.message)
    throw error
  }
}
