import { createSteppedClock } from '../../lib/clock.ts'
import { readDefinition } from '../../lib/constructs/deploy/definition.ts'
import { names } from '../../lib/show/document/fields/names.ts'
import { THROTTLED } from '../../lib/tasks/retries.ts'
import { describeStateError, type StateError } from '../../lib/tasks/state-errors.ts'
import type { TaskName } from '../../lib/tasks/tasks.ts'
import { createStepFunctions } from '../../local/cloud/states/step-functions.ts'
import { createRandom } from '../../local/simulation/scheduling/random.ts'

const inAccount = (resource: string) => `arn:aws:${resource.replace(':', ':us-east-1:000000000000:')}`
const machineArn = (name: string) => inAccount(`states:stateMachine:${name}`)
const START = Date.parse('2026-11-20T09:00:00Z')
const MINUTE = 60_000

/**
 * Seconds that a function takes for a recording of an hour, or a piece of ten minutes, on the high side of docs/measurements.md
 * ("What publishing costs") and docs/deploy.md ("What it costs"). A task of a show is a few calls of the platform.
 */
const SECONDS: Partial<Record<TaskName, number>> = {
  inspectRecording: 2,
  makeFaststart: 5,
  makePoster: 3,
  cutPiece: 10,
  writePlaylists: 2,
  writeManifest: 2,
  makeThumbnails: 5,
  copyAudio: 30,
  measureAudio: 40,
  findChapters: 5,
  encodePiece: 200,
  hashSource: 30,
}
const SECONDS_OF_OTHERS = 1

export interface BusyAccount {
  readonly seed: number
  /** Functions that the account runs at once; 10 in a new one. */
  readonly limit: number
  /** The setting. @default that of the settings */
  readonly concurrency?: number
  /** Pieces of every recording, of ten minutes each. */
  readonly pieces: number
  readonly recordings: number
  /** A function that always ends with an error. */
  readonly failing?: { readonly task: TaskName; readonly error: string }
}

/**
 * Models an account in which recordings arrive while a show runs: the real definitions on the project's own interpreter, under
 * a stepped clock, with functions that only take their time, and Lambda's limit on how many run at once.
 */
export async function runBusyAccount({ seed, limit, concurrency, pieces, recordings, failing }: BusyAccount) {
  const clock = createSteppedClock(START)
  const random = createRandom(seed, 'account').next
  const answers = answersWith(pieces, clock.now)
  let running = 0
  let mostRunning = 0
  let throttled = 0
  let failures = 0
  /** Milliseconds between observations of the show. */
  const gaps: number[] = []
  let observed: number | undefined

  const states = createStepFunctions({
    clock,
    random,
    region: 'us-east-1',
    account: '000000000000',
    async invoke(arn, input) {
      const task = arn.split(':').at(-1) as TaskName
      if (task === failing?.task) {
        failures++
        throw Object.assign(new Error('RequestId: 1 Error: It ended.'), { name: failing.error })
      }
      if (running >= limit) {
        throttled++
        throw Object.assign(new Error('Rate Exceeded.'), { name: THROTTLED })
      }
      running++
      mostRunning = Math.max(mostRunning, running)
      if (task === 'watchShow') {
        if (observed !== undefined) gaps.push(clock.now() - observed)
        observed = clock.now()
      }
      // From half to one and a half times as long, so that no two executions stay in step.
      await clock.sleep((SECONDS[task] ?? SECONDS_OF_OTHERS) * 1000 * (0.5 + random()))
      running-- // also when its execution has ended meanwhile: Lambda runs it to its end
      return answers(task, input as Given)
    },
  })
  for (const name of ['audience', 'watch', 'rescue', 'notify', 'show', 'publish'])
    states.addMachine(machineOf(name, concurrency))

  const start = (name: string, input: object) =>
    states.startExecution({ stateMachineArn: machineArn(name), input: JSON.stringify(input) }).executionArn
  const arrivals = Array.from({ length: recordings }, (_, index) =>
    start('publish', { bucket: 'media', key: `1/${index}/archive.mp4`, etag: 'e' }),
  )
  await clock.advance(MINUTE)
  const show = start('show', { showId: 'a-show' }) // while the first of them are encoded
  const all = [show, ...arrivals]
  while (all.some((executionArn) => states.describeExecution({ executionArn }).status === 'RUNNING'))
    await clock.advance(10 * MINUTE)

  const endOf = (executionArn: string) => {
    const { status, error, cause, startDate, stopDate } = states.describeExecution({ executionArn })
    const minutes = (Number(stopDate) - Number(startDate)) / MINUTE
    return { status, error, cause, minutes, events: states.executionHistory({ executionArn }).length }
  }
  const children = ['watch', 'audience'].flatMap((name) => states.listExecutions({ stateMachineArn: machineArn(name) }))
  const result = {
    show: endOf(show),
    publishes: arrivals.map(endOf),
    mostEvents: Math.max(
      ...[...all, ...children.map(({ executionArn }) => executionArn)].map((arn) => endOf(arn).events),
    ),
    longestGap: Math.max(...gaps) / 1000,
    ...{ mostRunning, throttled, failures },
  }
  await states.close()
  return result
}

function machineOf(name: string, concurrency: number | undefined) {
  const { text, tasks } = readDefinition(name, concurrency ? { concurrency } : {})
  const functions = new Map(tasks.map((task) => [names.substitution(task), inAccount(`lambda:function:${task}`)]))
  const others = { AudienceMachine: 'audience', WatchMachine: 'watch', RescueMachine: 'rescue' }
  const definition = text.replace(
    /\$\{(\w+)\}/g,
    (_, key: string) => functions.get(key) ?? machineArn(others[key as keyof typeof others]),
  )
  return { arn: machineArn(name), name, definition }
}

type Given = Readonly<Record<string, unknown>>

/**
 * Returns the answers of all tasks without failures: a show of nine minutes, and recordings with `count` pieces in
 * every format.
 */
function answersWith(count: number, now: () => number) {
  const pieces = Array.from({ length: count }, (_, index) => ({ index, start: index * 600, end: (index + 1) * 600 }))
  const inspection = {
    ...{ archiveId: 'a', size: 9, show: null, pieces, ladder: [], access: 'signed', keepDays: null, differences: [] },
    facts: { duration: count * 600, video: { codec: 'h264', width: 1280, height: 720, frameRate: 30 }, audio: null },
    formats: ['poster', 'faststart', 'hls', 'renditions', 'thumbnails', 'audio', 'chapters'],
  }
  const none = { scenes: [], dialIns: [], broadcasts: [] }
  const names = ['one', 'two', 'three']
  const isOver = () => now() - START > 10 * MINUTE // while they are encoded still
  const after = (seconds: number) => new Date(now() + seconds * 1000).toISOString()
  const answers: Partial<Record<TaskName, (given: Given) => unknown>> = {
    acceptShow: () => ({
      showId: 'a-show',
      closing: false,
      waitSeconds: 0,
      sessionId: null,
      recordings: names,
      ...none,
    }),
    openSession: () => ({ sessionId: 's' }),
    checkAudience: () => ({ audience: 'present', nextPollAt: after(15) }),
    goLive: () => ({ live: true }),
    watchShow: () => ({ over: isOver(), reason: 'It ended.', due: null, stranded: [], nextPollAt: after(30) }),
    checkUploads: () => ({ over: true, arrived: 3, awaited: 0, waitSeconds: 0, stranded: [] }),
    reportShow: () => ({ status: 'succeeded', reason: 'It ended.' }),
    takeTurn: () => ({ hasTurn: true }),
    inspectRecording: () => inspection,
    cutPiece: () => ({ index: 0, edition: 'e' }),
    encodePiece: () => ({ index: 0, edition: 'e', ffmpeg: '7' }),
    copyAudio: () => ({ files: [{ role: 'audio', key: 'audio', size: 1, sha256: 'a' }] }),
    measureAudio: () => ({ files: [], loudness: null, silences: [], ffmpeg: '7' }),
    hashSource: () => ({ sha256: 'b', faststartSha256: 'c' }),
    writeManifest: ({ stage, failure }) => ({
      ...{ archiveId: 'a', status: failure ? 'failed' : stage },
      ...(failure ? { message: describeStateError(failure as StateError) } : {}),
    }),
  }
  return (task: TaskName, given: Given) => answers[task]?.(given) ?? { files: [], ffmpeg: '7' }
}
