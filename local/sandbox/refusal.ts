import type { ErrorStatus } from '../../lib/platform/contract/operation.ts'

/** A request that is answered with an error; the message goes out as it is. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: ErrorStatus

  constructor(status: ErrorStatus, message: string) {
    super(message)
    this.status = status
  }
}

/** What the platform does and the sandbox does not do yet: asking for it is refused with 400, never ignored. */
export const notYet = {
  automaticArchives: 'archiveMode always',
  individualArchives: 'outputMode individual',
  manualStreams: 'streamMode manual',
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
