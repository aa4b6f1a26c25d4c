/** What is measured of shows, beside what AWS measures by itself: functions write it, alarms and the dashboard read it. */
export const metrics = {
  secondsToUploaded: {
    unit: 'Seconds',
    summary: 'From the planned end of a show to its last recording in the bucket.',
  },
  secondsToPublished: { unit: 'Seconds', summary: 'From the planned end of a show to a published recording of it.' },
  showsFailed: { unit: 'Count', summary: 'Shows that were reported as failed.' },
  showsOverdue: { unit: 'Count', summary: 'Shows that should have been reported long ago, seen by one sweep.' },
  recordingsLost: { unit: 'Count', summary: 'Parts of recordings of which no file is in the bucket.' },
  recordingsRescued: { unit: 'Count', summary: 'Archives fetched from the platform because its upload failed.' },
  publishesFailed: { unit: 'Count', summary: 'Archives that could not be published.' },
  publishesIncomplete: { unit: 'Count', summary: 'Archives so damaged that some formats could not be made of them.' },
  recordingsWithheld: {
    unit: 'Count',
    summary: 'Files that came in the place of published ones, differ from the platform’s record and are withheld.',
  },
  authenticationFailures: { unit: 'Count', summary: 'Tasks that failed because the platform refused the credentials.' },
  valuesUnread: {
    unit: 'Count',
    summary: 'Values and list items of the platform’s answers that could not be read and were left out.',
  },
  sweepsFailed: { unit: 'Count', summary: 'Shows that a sweep could not look after.' },
} as const satisfies Record<string, { unit: 'Count' | 'Seconds'; summary: string }>

export type MetricName = keyof typeof metrics
export type Measured = Partial<Record<MetricName, number>>

/** The namespace of them all in CloudWatch. Their one dimension is `service`, which tells deployments apart. */
export const METRICS_NAMESPACE = 'Showrunner'

/** Value of that dimension, and what log lines say they come from. */
export const serviceOf = (stage: string) => `showrunner-${stage}`
