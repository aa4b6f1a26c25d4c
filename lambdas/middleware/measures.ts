import type { Manifest } from '../../lib/publish/manifest/manifest.ts'
import type { Services } from '../../lib/services.ts'
import type { ShowResult } from '../../lib/show/state/result.ts'
import type { Measured, MetricName } from '../../lib/tasks/metrics.ts'
import type { TaskName, TaskOutput } from '../../lib/tasks/tasks.ts'

/** The outcome of a sweep, with the whole results that it wrote. */
type SweptShows = Omit<TaskOutput<'sweepShows'>, 'reported'> & { readonly reported: readonly ShowResult[] }

type Reading = Pick<Services, 'records' | 'clock'>

/** Metrics that the results of tasks give. Most tasks give none. */
const measures: { readonly [Name in TaskName]?: (result: never, services: Reading) => Measured | Promise<Measured> } = {
  reportShow: (result: ShowResult): Measured => ({ ...ofReport(result), ...ofUploads(result) }),
  rescueArchive: (): Measured => ({ recordingsRescued: 1 }),
  sweepShows: ({ overdue, failed, unpurged, reported }: SweptShows): Measured => ({
    showsOverdue: overdue.length,
    sweepsFailed: failed.length + unpurged.length,
    ...sumOf(reported.map(ofReport)),
  }),
  startPublish: ({ outcome }: TaskOutput<'startPublish'>): Measured =>
    outcome === 'given up' ? { publishesFailed: 1 } : {},
  writeManifest: async (
    manifest: Manifest | { status: 'replaced' } | { status: 'withheld' },
    services,
  ): Promise<Measured> => {
    if (manifest.status === 'replaced') return {}
    if (manifest.status === 'withheld') return { recordingsWithheld: 1 }
    const { status, missing = [] } = manifest
    return {
      publishesFailed: status === 'failed' ? 1 : 0,
      publishesIncomplete: status === 'complete' && missing.length > 0 ? 1 : 0,
      ...(await ofPublished(manifest, services)),
    }
  },
}

export async function measureTask(task: TaskName, result: unknown, services: Reading): Promise<Measured> {
  return (await measures[task]?.(result as never, services)) ?? {}
}

/** Counts the recordings without a file, except those that a stopped or cancelled show never started. */
const lostIn = ({ status, recordings }: ShowResult) =>
  recordings.filter(({ lost, archiveId, problem }) => lost && (archiveId || problem || !CALLED_OFF.includes(status)))
    .length
const CALLED_OFF: readonly string[] = ['stopped', 'cancelled']

const ofStatus = ({ status }: ShowResult): Measured => ({
  showsFailed: status === 'failed' ? 1 : 0,
  showsCancelled: status === 'cancelled' ? 1 : 0,
})

/** Counts what a result reports: the outcome of the show, and the recordings without a file. */
const ofReport = (result: ShowResult): Measured => ({
  ...ofStatus(result),
  ...(result.recordings.length > 0 && { recordingsLost: lostIn(result) }),
})

function sumOf(all: readonly Measured[]): Measured {
  const sum: Measured = {}
  for (const [name, value] of all.flatMap((one) => Object.entries(one) as [MetricName, number][]))
    sum[name] = (sum[name] ?? 0) + value
  return sum
}

/** Returns the milliseconds since the epoch at which a show ended: as planned, or earlier. */
const endOf = ({ plannedEndAt, endedAt }: { plannedEndAt?: string | undefined; endedAt?: string | undefined }) =>
  plannedEndAt && Math.min(Date.parse(plannedEndAt), Date.parse(endedAt ?? plannedEndAt))

const secondsFrom = (end: number, at: number) => Math.max(0, (at - end) / 1000)

function ofUploads({ timeline, ...times }: ShowResult): Measured {
  const end = endOf(times)
  const arrivals = timeline.filter(({ what }) => what === 'recording.arrived' || what === 'recording.rescued')
  if (!end || arrivals.length === 0) return {}
  return { secondsToUploaded: secondsFrom(end, Math.max(...arrivals.map(({ at }) => Date.parse(at)))) }
}

/** Measures nothing when the show cannot be read: the metrics on which alarms ring do not depend on it. */
async function ofPublished({ show, status }: Manifest, { records, clock }: Reading): Promise<Measured> {
  const state = show && status === 'complete' && (await records.readState(show.showId).catch(() => undefined))
  const end = state && endOf(state)
  return end ? { secondsToPublished: secondsFrom(end, clock.now()) } : {}
}
