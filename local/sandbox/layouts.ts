import type { z } from 'zod'
import type { layout } from '../../lib/platform/contract/layouts.ts'
import { refuseNotYet } from './refusal.ts'

/** @throws Refusal 400 for a layout that the compositor cannot draw yet */
export function refuseUndrawnLayout({ type, screenshareType }: z.output<typeof layout>): void {
  if (type === 'custom') refuseNotYet('customLayouts')
  if (screenshareType) refuseNotYet('screenshareLayouts')
}
