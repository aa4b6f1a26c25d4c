import type { OwnerEvent } from '../../../../lib/events/owner-events.ts'
import type { ShowResult } from '../../../../lib/show/state/result.ts'
import type { Evidence } from '../evidence.ts'
import { archiveFilesIn, isFaulty } from '../publishing/archive-files.ts'

/** Statuses of a show that was called off: what it never started is not lost. */
const CALLED_OFF: readonly string[] = ['stopped', 'cancelled']

/** Kinds of faults that end a function. */
const ENDING = /^(killed|crashed|timed out)/

type Seen = Pick<Evidence, 'objects' | 'executions' | 'output' | 'leftOut' | 'trace' | 'events'>

/**
 * Checks that functions write the metrics on which alarms ring (docs/runbook.md): for each show that failed, also one that never
 * started, each part of a recording that is lost, and each archive that is not published, damaged or withheld. Without such an
 * outcome no alarm of shows rings, and without an event of a failed publish none of publishes.
 */
export function alarmsRing(evidence: Seen): string[] {
  if (evidence.output.length === 0) return [] // many shows in one world share their log, which is not kept
  const totals = metricsIn(evidence.output)
  return Object.entries(outcomesOf(evidence)).flatMap(([metric, outcomes]) => {
    const total = totals.get(metric) ?? 0
    if (total < outcomes) return [`the metric ${metric} counts ${total}, and there are ${outcomes}`]
    const isFalse = metric === 'PublishesFailed' ? !hasFailedPublish(evidence) : metric.startsWith('Shows')
    return total > 0 && outcomes === 0 && isFalse ? [`the metric ${metric} counts ${total}, and there is none`] : []
  })
}

const hasFailedPublish = ({ events }: Seen) =>
  events.some(({ detail }) => {
    const { event, status } = detail as OwnerEvent
    return event === 'recording.published' && status === 'failed'
  })

function outcomesOf(evidence: Seen): Readonly<Record<string, number>> {
  const results = [...evidence.objects].flatMap(([key, { text = '' }]) =>
    /^shows\/[^/]+\/result\.json$/.test(key) ? (JSON.parse(text) as ShowResult) : [],
  )
  const lost = results.flatMap(({ status, recordings }) =>
    recordings.filter((one) => one.lost && (one.archiveId || one.problem || !CALLED_OFF.includes(status))),
  )
  const ofShows = {
    ShowsFailed: results.filter(({ status }) => status === 'failed').length,
    ShowsCancelled: results.filter(({ status }) => status === 'cancelled').length,
    RecordingsLost: lost.length,
  }
  if ('StartPublish' in evidence.leftOut) return ofShows
  // A function that a fault ends may write a manifest, and not the metric.
  const whole = archiveFilesIn(evidence).filter((file) => !isFaulty(file, evidence.trace, ENDING))
  const manifests = whole.flatMap(({ manifest }) => manifest ?? [])
  return {
    ...ofShows,
    PublishesFailed: manifests.filter(({ status }) => status === 'failed').length,
    PublishesIncomplete: manifests.filter(({ status, missing }) => status === 'complete' && missing?.length).length,
    RecordingsWithheld: manifests.filter(({ withheld }) => withheld).length,
  }
}

/** Adds up the metrics in the embedded metric format of CloudWatch. */
function metricsIn(lines: readonly string[]): ReadonlyMap<string, number> {
  const totals = new Map<string, number>()
  for (const line of lines.flatMap((text) => text.split('\n'))) {
    if (!line.startsWith('{"_aws"')) continue
    const { _aws, ...values } = JSON.parse(line) as Embedded
    for (const { Name } of _aws.CloudWatchMetrics.flatMap(({ Metrics }) => Metrics)) {
      const value = [values[Name]].flat().reduce<number>((sum, one) => sum + Number(one), 0)
      totals.set(Name, (totals.get(Name) ?? 0) + value)
    }
  }
  return totals
}

interface Embedded {
  readonly _aws: { readonly CloudWatchMetrics: readonly { readonly Metrics: readonly { readonly Name: string }[] }[] }
  readonly [metric: string]: unknown
}
