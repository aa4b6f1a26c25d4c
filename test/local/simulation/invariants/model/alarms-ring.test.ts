import { describe, expect, it } from 'vitest'
import { alarmsRing } from '../../../../../local/simulation/invariants/model/alarms-ring.ts'

type Evidence = Parameters<typeof alarmsRing>[0]

const embedded = (metric: string, value: number) =>
  JSON.stringify({ _aws: { CloudWatchMetrics: [{ Metrics: [{ Name: metric }] }] }, [metric]: [value] })
const judge = (result: object, output: string[], manifest?: object, events: readonly object[] = []) => {
  const objectOf = (document: object) => ({ text: JSON.stringify(document), size: 4, sha256: '' })
  const objects = new Map([
    ['shows/a-show/result.json', objectOf({ recordings: [], ...result })],
    ...(manifest
      ? ([
          ['recordings/one/manifest.json', objectOf(manifest)],
          ['1234/one/archive.zip', objectOf(manifest)],
        ] as const)
      : []),
  ])
  return alarmsRing({ objects, executions: [], output, leftOut: {}, trace: [], events } as unknown as Evidence)
}

describe('alarmsRing', () => {
  it('accepts a metric for each outcome', () => {
    expect(judge({ status: 'failed' }, [embedded('ShowsFailed', 1)])).toEqual([])
    expect(judge({ status: 'succeeded' }, ['{"level":"INFO"}', embedded('ShowsFailed', 0)])).toEqual([])
  })

  it.each([
    [{ status: 'failed' }, 'ShowsFailed'],
    [{ status: 'cancelled' }, 'ShowsCancelled'],
    [{ status: 'degraded', recordings: [{ lost: 'It is gone.' }] }, 'RecordingsLost'],
  ])('finds an outcome of %j that no metric counts', (result, metric) => {
    expect(judge(result, ['a line'])).toEqual([`the metric ${metric} counts 0, and there are 1`])
  })

  it.each([
    [{ status: 'failed' }, 'PublishesFailed'],
    [{ status: 'complete', missing: [{ format: 'hls' }] }, 'PublishesIncomplete'],
    [{ status: 'complete', withheld: {} }, 'RecordingsWithheld'],
  ])('finds a manifest of %j that no metric counts', (manifest, metric) => {
    expect(judge({}, ['a line'], manifest)).toEqual([`the metric ${metric} counts 0, and there are 1`])
  })

  it('finds an alarm of publishes without a failed one', () => {
    const rung = [embedded('PublishesFailed', 1)]
    const failed = { detail: { event: 'recording.published', status: 'failed' } }
    expect(judge({}, rung)).toEqual(['the metric PublishesFailed counts 1, and there is none'])
    expect(judge({}, rung, undefined, [failed])).toEqual([])
  })

  it('finds an alarm of shows without a reason', () => {
    expect(judge({ status: 'succeeded' }, [embedded('ShowsFailed', 1)])).toEqual([
      'the metric ShowsFailed counts 1, and there is none',
    ])
  })
})
