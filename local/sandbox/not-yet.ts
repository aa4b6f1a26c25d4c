import type { z } from 'zod'
import type { layout } from '../../lib/platform/contract/layouts.ts'
import { Refusal } from './refusal.ts'

/** What the platform does and the sandbox does not do yet: asking for it is refused with 400, never ignored. */
export const notYet = {
  individualArchives: 'outputMode individual',
  customLayouts: 'layout.type custom',
  screenshareLayouts: 'layout.screenshareType',
  rtmp: 'outputs.rtmp',
  lowLatency: 'outputs.hls.lowLatency',
  azure: 'upload targets of type azure',
  fileSources: 'participants of source type file',
} as const

export function refuseNotYet(what: keyof typeof notYet): never {
  throw new Refusal(400, `The sandbox does not support ${notYet[what]} yet.`)
}

/** @throws Refusal 400 for a layout that the compositor cannot draw yet */
export function refuseUndrawnLayout({ type, screenshareType }: z.output<typeof layout>): void {
  if (type === 'custom') refuseNotYet('customLayouts')
  if (screenshareType) refuseNotYet('screenshareLayouts')
}
