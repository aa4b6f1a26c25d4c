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

/** @param runbook its URL; without one, where it is from the root of the repository */
export const runbookLink = (heading: RunbookHeading, runbook = 'docs/runbook.md') =>
  `${runbook}#${heading.toLowerCase().replaceAll(' ', '-')}`
