/** Metrics beside those of AWS: functions write them, alarms and the dashboard read them. */
export const metrics = {
  secondsToUploaded: {
    unit: 'Seconds',
    summary: 'From the end of a show, planned or earlier, to its last recording in the bucket.',
  },
  secondsToPublished: {
    unit: 'Seconds',
    summary: 'From the end of a show, planned or earlier, to a published recording of it.',
  },
  showsFailed: { unit: 'Count', summary: 'Shows that were reported as failed.' },
  showsCancelled: {
    unit: 'Count',
    summary: 'Shows that were cancelled because no participant connected. No alarm reads it.',
  },
  showsOverdue: { unit: 'Count', summary: 'Shows that should have been reported long ago, seen by one sweep.' },
  recordingsLost: { unit: 'Count', summary: 'Parts of recordings of which no file is in the bucket.' },
  recordingsRescued: { unit: 'Count', summary: 'Archives fetched from the platform because its upload failed.' },
  publishesFailed: { unit: 'Count', summary: 'Archives that could not be published.' },
  publishesIncomplete: { unit: 'Count', summary: 'Archives so damaged that some formats could not be made of them.' },
  recordingsWithheld: {
    unit: 'Count',
    summary: 'Files that would replace published ones, differ from the platform’s record and are withheld.',
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

/** The namespace of all metrics in CloudWatch. Their one dimension is `service`, which identifies the deployment. */
export const METRICS_NAMESPACE = 'Showrunner'

/** Returns the value of that dimension, which log lines carry as well. */
export const serviceOf = (stage: string) => `showrunner-${stage}`
