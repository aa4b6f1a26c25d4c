/** What Showrunner does about a failure, and what a person can do. */
interface FailureAdvice {
  readonly does: string
  readonly can: string
  /** Heading of docs/runbook.md. */
  readonly runbook: string
  /** True if it also holds once the show is over. */
  readonly isAfterwards?: true
}

const NO_REPEATED_TONES = {
  does: 'It does not repeat tones, because a PIN that is entered twice is wrong.',
  can: 'Play the tones again by the API, or ask the callee to enter them.',
  runbook: 'Tones fail',
}

/** Advice by the code of a failure. Codes of events are their types. */
export const failureAdvice = {
  'show.failed': {
    does: 'It has reported the show and notified its owner. What was recorded is published all the same.',
    can: 'Do what the reason says. A show cannot be started again: post it as a new one.',
    runbook: 'Shows failed',
    isAfterwards: true,
  },
  'show.overdue': {
    does: 'It polls until every file has arrived, and reports the show at the latest when its machine times out.',
    can: 'If the platform is at fault, wait. Otherwise abort the execution: the sweep then closes the show.',
    runbook: 'Shows overdue',
  },
  'show.closing': {
    does: 'It stops what was left running, and reports the show.',
    can: 'Read the error of the execution. It names what the deployment lacks.',
    runbook: 'Executions were interrupted',
  },
  'task.retried': {
    does: 'It retries the task at growing intervals, and adopts what an earlier attempt has started.',
    can: 'Wait, unless the error repeats. The execution below has every attempt.',
    runbook: 'Shows overdue',
  },
  'task.refused': {
    does: 'It has read the secret of the project again, and the platform refuses that too.',
    can: 'Compare the secret of the project with the platform’s, and correct it.',
    runbook: 'Credentials refused',
  },
  'recording.failed': {
    does: 'It starts another part if this one had begun and the recording has parts, five within an hour at most.',
    can: 'Check that a participant is connected, since the platform records only then.',
    runbook: 'Recordings lost',
  },
  'recording.stranded': {
    does: 'It fetches the file from the platform’s storage after the show, and before the platform deletes it.',
    can: 'Wait. If every upload fails, check the upload target of the project.',
    runbook: 'Recordings lost',
  },
  'recording.lost': {
    does: 'It has reported the loss with its reason, and notified the owner.',
    can: 'Within 72 hours, fetch the file from the platform and store it under its key. It is then published.',
    runbook: 'Recordings lost',
    isAfterwards: true,
  },
  'recording.unpublished': {
    does: 'It keeps the archive. It restarts a publish that was interrupted.',
    can: 'Rebuild the recording, unless the message names a fault of the file.',
    runbook: 'Recordings not published',
    isAfterwards: true,
  },
  'recording.damaged': {
    does: 'It has published everything else, and keeps the archive.',
    can: 'Watch the recording. If the file was damaged on its way, fetch it from the platform within 72 hours.',
    runbook: 'Recordings damaged',
    isAfterwards: true,
  },
  'recording.withheld': {
    does: 'It keeps what was published. The new file is neither published nor linked.',
    can: 'Accept or reject the new file within 30 days.',
    runbook: 'Recordings withheld',
    isAfterwards: true,
  },
  'broadcast.failed': {
    does: 'It starts another part if this one had begun and the broadcast has parts. The recordings continue.',
    can: 'Add another broadcast below.',
    runbook: 'Shows failed',
  },
  'output.reconnecting': {
    does: 'The platform connects again. After a minute without success, the output counts as failed.',
    can: 'Check the server and the network between.',
    runbook: 'Shows failed',
  },
  'output.failed': {
    does: 'It waits for the output to be live again. The recordings and the other outputs continue.',
    can: 'Check the server and the stream key. For another server, add another broadcast below.',
    runbook: 'Shows failed',
  },
  'scene.failed': {
    does: 'The show continues without the scene.',
    can: 'Check that its page can be opened, and have a participant share it meanwhile.',
    runbook: 'A scene fails',
  },
  'dialIn.failed': {
    does: 'The show continues without the call, which is dialed once.',
    can: 'Call again below.',
    runbook: 'A dial-in fails',
  },
  'dialIn.unknown': {
    does: 'It does not dial again, because the call may be ringing.',
    can: 'If the callee does not appear among the streams, call again below under another name.',
    runbook: 'A dial-in fails',
  },
  'dialIn.tonesFailed': NO_REPEATED_TONES,
  'dialIn.tonesUnknown': NO_REPEATED_TONES,
  'cue.failed': {
    does: 'It continues with the next cue, and does not repeat this one.',
    can: 'Set the layout or send the message below.',
    runbook: 'A cue fails',
  },
  'announcement.failed': {
    does: 'The show continues. It does not repeat the announcement.',
    can: 'Send a message to the participants below.',
    runbook: 'An announcement fails',
  },
  'secret.invalid': {
    does: 'It starts the show all the same. What needs the secret fails then.',
    can: 'Correct the secret before the show starts.',
    runbook: 'A secret of a show is lost',
  },
  'delivery.failing': {
    does: 'It posts the event again, for about a day.',
    can: 'Repair the app that receives the callbacks. Each delivery below can be replayed.',
    runbook: 'Callbacks not delivered',
    isAfterwards: true,
  },
  'delivery.refused': {
    does: 'It does not repeat what the app refuses.',
    can: 'Repair the app that receives the callbacks, then replay the delivery below.',
    runbook: 'Callbacks not delivered',
    isAfterwards: true,
  },
} as const satisfies Readonly<Record<string, FailureAdvice>>

export type FailureCode = keyof typeof failureAdvice

/** Returns the advice for a failure. */
export const adviceOn = (code: FailureCode): FailureAdvice => failureAdvice[code]

const RUNBOOK = 'https://github.com/showrunner/showrunner/blob/main/docs/runbook.md'

/** Returns the address of a section of the runbook. */
export const runbookLink = (heading: string): string => `${RUNBOOK}#${heading.toLowerCase().replaceAll(' ', '-')}`
