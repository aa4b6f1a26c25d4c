import { Listr, ListrLogger, type ListrTask, ProcessOutput } from 'listr2'
import { isInterruption } from '../local/interruption.ts'
import type { ShowSnapshot } from './poll-show.ts'
import { type PublishProgress, publishProgress } from './publish-progress.ts'
import type { ShowAnswer } from './show-api.ts'
import { type ShowStream, StreamEndedError } from './show-stream.ts'

export interface ProgressStep {
  readonly title: string
  /** Reports details while it runs, and returns the title that is shown when it is done. */
  readonly run: (report: Report) => Promise<string>
}

type Report = (detail: string) => void

/** The show whose steps are shown. */
export interface ShownShow {
  /** Names of its recordings. */
  readonly recordings: readonly string[]
  /** Names of its broadcasts. */
  readonly broadcasts: readonly string[]
  /** Describes how and until when participants can come in, while the show waits for the first. */
  readonly awaiting: (show: ShowAnswer) => string
}

const has = ({ timeline }: ShowAnswer, event: string) => timeline.some(({ what }) => what === event)

export interface ProgressView {
  readonly stream: NodeJS.WriteStream
  /** Marks the running steps as interrupted when it aborts. */
  readonly signal: AbortSignal
}

/** Shows the steps of a show while it runs: live on a terminal, one line each elsewhere. */
export async function showProgress(
  { recordings, broadcasts, awaiting }: ShownShow,
  snapshots: ShowStream,
  view: ProgressView,
): Promise<void> {
  const isTerminal = view.stream.isTTY
  const opening: ProgressStep[] = [
    { title: 'Session', run: () => reached('session.opened', ({ sessionId }) => `Session ${shorten(sessionId)}`) },
    { title: 'Upload target', run: () => reached('upload.targetSet', () => 'Upload target set') },
    { title: 'Audience', run: audience },
  ]
  const running: ProgressStep[] = [
    ...recordings.map((name) => ({ title: `Recording ${name}`, run: (report: Report) => live(name, report) })),
    ...broadcasts.map((name) => ({ title: `Broadcast ${name}`, run: (report: Report) => onAir(name, report) })),
  ]
  const closing: ProgressStep[] = [
    ...recordings.map((name) => ({ title: `Upload of ${name}`, run: () => arrived(name) })),
    ...recordings.map((name) => ({ title: `Publishing ${name}`, run: (report: Report) => published(name, report) })),
  ]
  let isAttended = false
  await showSteps(opening, view)
  if (!isAttended) return // nothing was recorded, and the summary has the reason
  await showSteps(running, view, { concurrent: true })
  await showSteps(closing, view)

  async function reached(event: string, titleOf: (show: ShowAnswer) => string): Promise<string> {
    const show = await snapshots.until(({ show }) => has(show, event) && show)
    if (!show) throw new Error(`The show ended before: ${event}`)
    return titleOf(show)
  }

  async function audience(report: Report): Promise<string> {
    const found = await snapshots.until(
      ({ show }) => (has(show, 'audience.present') || show.result) && show,
      ({ show }) => show.status === 'waiting' && report(awaiting(show)),
    )
    isAttended = found !== undefined && has(found, 'audience.present')
    if (isAttended) return 'Audience is there'
    throw new Error(found?.result?.reason ?? 'The show ended before a participant connected.')
  }

  async function live(name: string, report: Report): Promise<string> {
    const end = await snapshots.until(
      ({ show }) => {
        const parts = show.recordings.filter((one) => one.name === name)
        const problem = parts.find((one) => one.problem && !one.archiveId)?.problem
        if (problem) throw new Error(`${name}: ${problem}`)
        const hasFailed = parts.at(-1)?.status === 'failed'
        return (isOver(show) || hasFailed) && { hasFailed }
      },
      ({ show }) => report(countdown(show, isTerminal)),
    )
    if (!end || end.hasFailed) throw new Error(`Recording ${name} failed`)
    return `Recording ${name} ended`
  }

  async function onAir(name: string, report: Report): Promise<string> {
    let hls: string | undefined
    const found = await snapshots.until(
      ({ show }) => isOver(show) && show,
      ({ show }) => {
        const parts = show.broadcasts.filter((one) => one.name === name)
        hls = parts.findLast((one) => one.hls)?.hls ?? hls
        const details = [...(hls ? [`watch it live: ${hls}`] : []), ...offAir(parts.at(-1))]
        if (details.length > 0) report(details.join('; '))
      },
    )
    const broadcast = found?.broadcasts.findLast((one) => one.name === name)
    if (broadcast?.problem || broadcast?.status === undefined)
      throw new Error(`${name}: ${broadcast?.problem ?? 'it was not on air'}`)
    if (broadcast.status === 'failed') throw new Error(`Broadcast ${name} failed`)
    return `Broadcast ${name} was on air${hls ? ` at ${hls}` : ''}`
  }

  async function arrived(name: string): Promise<string> {
    const parts = await snapshots.until(({ show }) => show.result?.recordings.filter((one) => one.name === name))
    const lost = parts?.find((one) => one.lost)?.lost
    if (!parts || lost) throw new Error(`${name}: ${lost ?? 'not reached'}`)
    return `Upload of ${name}: ${inMegabytes(parts.reduce((sum, { size = 0 }) => sum + size, 0))}`
  }

  async function published(name: string, report: Report): Promise<string> {
    let last: PublishProgress | undefined
    const isDone = (snapshot: ShowSnapshot) => {
      last = publishProgress(name, snapshot)
      return last.isDone
    }
    await snapshots.until(isDone, () => last && report(last.detail))
    if (last?.problem) throw new Error(`${name}: ${last.problem}`)
    return `Published ${name}${last?.isComplete ? '' : ': playable, but not every file could be made'}`
  }
}

/** Returns the outputs of a broadcast that are not on the air, as people read them. */
const offAir = (broadcast: ShowAnswer['broadcasts'][number] | undefined): string[] =>
  (broadcast?.rtmp ?? []).flatMap(({ id, status }) => (status === 'live' ? [] : `output ${id}: ${status}`))

/** Runs steps and shows them. A failed step does not stop the others, since the summary reports it as well. */
export async function showSteps(
  steps: readonly ProgressStep[],
  { stream, signal }: ProgressView,
  { concurrent = false } = {},
): Promise<void> {
  if (signal.aborted) return
  const logger = new ListrLogger({ processOutput: new ProcessOutput(stream, stream) })
  await new Listr(steps.map(task), {
    concurrent,
    exitOnError: false,
    registerSignalListeners: false,
    renderer: stream.isTTY && stream.columns > 0 ? 'default' : 'simple',
    rendererOptions: { logger } as never, // its type depends on a literal renderer
  }).run()
}

const task = ({ title, run }: ProgressStep): ListrTask => ({
  title,
  task: async (_context, shown) => {
    let last = ''
    const report = (detail: string) => {
      if (detail !== last) shown.output = detail
      last = detail
    }
    try {
      shown.title = await run(report)
    } catch (error) {
      if (!isInterruption(error) && !(error instanceof StreamEndedError)) throw error
      shown.skip(`${title}: interrupted`)
    }
  },
})

const isOver = ({ status, result }: ShowAnswer) => status === 'ending' || result !== undefined

/** Describes the progress of a live show. Without a terminal every change prints a line, so the text stays the same there. */
function countdown({ liveAt, plannedEndAt, openEnd }: ShowAnswer, isTerminal: boolean): string {
  if (!liveAt || !plannedEndAt) return 'starting'
  if (openEnd) {
    const since = isTerminal ? `, ${Math.max(0, Math.round((Date.now() - Date.parse(liveAt)) / 1000))} s` : ''
    return `recording${since}, until the participants leave`
  }
  const total = Math.round((Date.parse(plannedEndAt) - Date.parse(liveAt)) / 1000)
  if (!isTerminal) return `recording for ${total} s`
  const done = Math.round((Date.now() - Date.parse(liveAt)) / 1000)
  return `recording, ${Math.max(0, Math.min(done, total))} of ${total} s`
}

export const inMegabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`

const shorten = (id = '') => (id.length > 24 ? `${id.slice(0, 12)}…${id.slice(-8)}` : id)
