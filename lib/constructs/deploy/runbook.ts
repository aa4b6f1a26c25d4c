/** The headings of docs/runbook.md that alarms refer to. */
export const runbookHeadings = [
  'Shows failed',
  'Shows overdue',
  'Executions were interrupted',
  'Recordings lost',
  'Recordings not published',
  'Recordings damaged',
  'Recordings withheld',
  'Callbacks not delivered',
  'Credentials refused',
  'Rotations failed',
  'The sweep fails',
  'Throttled',
  'The API fails',
  'Controls refused',
  'Events wait in a dead-letter queue',
] as const

export type RunbookHeading = (typeof runbookHeadings)[number]

/**
 * Returns a link to a section of the runbook.
 * @param runbook URL of the runbook; @default its path in the repository
 */
export const runbookLink = (heading: RunbookHeading, runbook = 'docs/runbook.md') =>
  `${runbook}#${heading.toLowerCase().replaceAll(' ', '-')}`
