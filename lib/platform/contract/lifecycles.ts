/** One legal change of a resource's status: `from` null is its creation, `on` says what sets it off. */
export interface Transition<Status extends string = string> {
  readonly from: Status | null
  readonly to: Status
  readonly on: string
}

const archive = [
  { from: null, to: 'started', on: 'startArchive' },
  { from: 'started', to: 'paused', on: 'nobody publishes' },
  { from: 'paused', to: 'started', on: 'publishing resumes' },
  { from: 'started', to: 'stopped', on: 'stopArchive, 4 h recorded, or the session ended' },
  { from: 'paused', to: 'stopped', on: 'stopArchive, 60 min idle, 12 h in all, or the session ended' },
  { from: 'started', to: 'failed', on: 'recording broke' },
  { from: 'paused', to: 'failed', on: 'recording broke' },
  { from: 'stopped', to: 'uploaded', on: 'the upload target took the file' },
  { from: 'stopped', to: 'available', on: 'no upload target, or the upload failed and the fallback keeps the file' },
  { from: 'stopped', to: 'failed', on: 'the file broke, or the upload failed without a fallback' },
  { from: 'available', to: 'expired', on: '72 h passed' },
  { from: 'available', to: 'deleted', on: 'deleteArchive' },
  { from: 'uploaded', to: 'deleted', on: 'deleteArchive' },
] as const satisfies readonly Transition[]

const broadcast = [
  { from: null, to: 'started', on: 'startBroadcast' },
  { from: 'started', to: 'stopped', on: 'stopBroadcast, maxDuration, or 60 s after the last client left' },
  { from: 'started', to: 'failed', on: 'disruption' },
] as const satisfies readonly Transition[]

/** Which changes of status the platform makes; the sandbox makes no other. */
export const lifecycles = { archive, broadcast } as const

export type Lifecycle = keyof typeof lifecycles
export type StatusOf<Name extends Lifecycle> = (typeof lifecycles)[Name][number]['to']

/** Whether the platform ever makes this change. */
export function isLegal<Name extends Lifecycle>(name: Name, from: StatusOf<Name> | null, to: StatusOf<Name>): boolean {
  const transitions: readonly Transition[] = lifecycles[name]
  return transitions.some((transition) => transition.from === from && transition.to === to)
}
