/** Operations of the platform that a show depends on, with their labels. */
export const breakableOperations = {
  createSession: 'Open a session',
  startArchive: 'Start a recording',
  stopArchive: 'Stop a recording',
  listArchives: 'List recordings',
  startBroadcast: 'Start a broadcast',
  stopBroadcast: 'Stop a broadcast',
  listBroadcasts: 'List broadcasts',
  setArchiveLayout: 'Set the layout of a recording',
  signalSession: 'Send a signal',
  dial: 'Dial',
} as const

/** Faults of the sandbox, each with its label. */
export const faultChoices = [
  { label: 'Answers 503', fault: { type: 'status', status: 503 } },
  { label: 'Answers 429, too many requests', fault: { type: 'status', status: 429 } },
  { label: 'Answers 401, wrong credentials', fault: { type: 'status', status: 401 } },
  { label: 'Refuses the connection', fault: { type: 'refuse' } },
  { label: 'Acts, and the answer is lost', fault: { type: 'dropAfter' } },
  { label: 'Acts, and answers no JSON', fault: { type: 'malformed' } },
  { label: 'Answers after 10 s', fault: { type: 'delay', ms: 10_000 } },
  { label: 'The upload of the file fails', fault: { type: 'failUpload' } },
  { label: 'The upload begins after 30 s', fault: { type: 'slowUpload', ms: 30_000 } },
] as const

/** A fault that was ordered; `times` counts the calls that it still affects. */
export interface OrderedFault {
  readonly id: string
  readonly operation: string
  readonly times: number
  readonly fault: { readonly type: string; readonly status?: number; readonly ms?: number }
}

/** Describes an ordered fault in one line. */
export function describeFault({ operation, times, fault }: OrderedFault): string {
  const isSame = (one: OrderedFault['fault']) =>
    one.type === fault.type && one.status === fault.status && one.ms === fault.ms
  const { label } = faultChoices.find((choice) => isSame(choice.fault)) ?? { label: fault.type }
  const what = (breakableOperations as Readonly<Record<string, string>>)[operation] ?? operation
  return `${what}: ${label}, ${times === 1 ? 'once more' : `${times} times more`}`
}
