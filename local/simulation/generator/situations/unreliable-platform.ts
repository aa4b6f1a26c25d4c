import { limits } from '../../../../lib/platform/contract/limits.ts'
import { controlAt, type DrawSituation, outputOf, PAUSE, paused, STREAM_KEYS, situation } from './situation.ts'

/** Seconds before the limit of an archive at which its next part begins. */
const LEAD = 120
/** Seconds from the start of a part by which the file of a failed upload is rescued, and an hour. */
const RESCUED = 37 * 3_600

/** Attempts of a task of publishing for which Lambda is busy: one more than there are, and some of those of the next execution. */
const THROTTLED = 64

/**
 * The RTMP outputs of a broadcast lose their connections again and again, for shorter and longer than they may take to connect. Lambda is busy
 * for so long that the first two attempts to publish the recording are given up.
 */
export const unstableOutputs: DrawSituation = ({ between, times }) => {
  const first = between(120, 300)
  const rtmp = ['one', 'two'].map(outputOf)
  return situation(
    {
      recordings: [{ name: 'program' }],
      broadcasts: [{ name: 'live', rtmp }],
    },
    {
      secrets: STREAM_KEYS,
      aims: ['InspectRecording', 'HashSource'].map((name) => ({
        ...{ operation: `lambda ${name}`, from: 1, times: THROTTLED, kind: 'throttled' as const },
      })),
      chaos: {
        unstableOutputs: times(6, (index) => ({ at: first + 400 * index, seconds: index % 2 === 0 ? 50 : 240 })),
      },
    },
  )
}

/**
 * The start of a recording arrives after it was given up and repeated, when the recording is paused. At its limit, another
 * recording is continued by a part that fails at once. Lists show late what is new. The show runs until the file of the first
 * part, whose upload fails, must be rescued.
 */
export const lateStarts: DrawSituation = ({ between }) => {
  const limit = limits.archiveDuration.value
  return situation(
    { duration: RESCUED + between(600, 1_200), recordings: [paused('program'), { name: 'room' }] },
    {
      chaos: {
        listLag: 15,
        failedUploads: 1,
        failures: [
          { at: PAUSE.from - between(55, 60), of: 'archive' },
          { at: limit - LEAD - 60, of: 'archive', isNextPart: true },
        ],
      },
      aims: [{ operation: 'platform startArchive', from: 3, times: 1, kind: 'delayed', seconds: between(45, 60) }],
    },
  )
}

/** A recording on which clips wait fails. */
export const lostRecordings: DrawSituation = ({ between, times }) => {
  const failsAt = between(900, 1_200)
  return situation(
    {
      recordings: [{ name: 'program', parts: false }],
      broadcasts: [{ name: 'live', hls: {} }],
    },
    {
      chaos: { failures: [{ at: failsAt, of: 'archive' }] },
      controls: times(3, (index) =>
        controlAt(failsAt - 300 + 90 * index, { what: 'clip', name: `Clip ${index}`, last: between(5, 40) }),
      ),
    },
  )
}
