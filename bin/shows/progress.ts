import { Listr, ListrLogger, type ListrTask, ProcessOutput } from 'listr2'
import { isInterruption } from '../local/interruption.ts'
import type { ShowSnapshot } from './follow.ts'
import { isPublished } from './follow.ts'
import type { ShowAnswer } from './show-api.ts'
import type { ShowStream } from './show-stream.ts'

/** A step that is shown: with `tell` it says how far it is, what it returns becomes its title. */
export interface Step {
  readonly title: string
  readonly run: (tell: (detail: string) => void) => Promise<string>
}

/** Where it is shown, and what ends it early. */
export interface View {
  readonly stream: NodeJS.WriteStream
  readonly signal: AbortSignal
}

/** Shows the steps of a show as they happen: live on a terminal, a line each elsewhere. */
export async function showProgress(
  { recordings, broadcasts }: { recordings: readonly string[]; broadcasts: readonly string[] },
  sights: ShowStream,
  view: View,
): Promise<void> {
  const lively = view.stream.isTTY
  const opening: Step[] = [
    { title: 'Session', run: () => happened('session.opened', ({ sessionId }) => `Session ${shorten(sessionId)}`) },
    { title: 'Upload target', run: () => happened('upload.targetSet', () => 'Upload target set') },
    { title: 'Audience', run: () => happened('audience.present', () => 'Audience is there') },
  ]
  const running: Step[] = [
    ...recordings.map((name) => ({ title: `Recording ${name}`, run: (tell: Tell) => live(name, tell) })),
    ...broadcasts.map((name) => ({ title: `Broadcast ${name}`, run: (tell: Tell) => onAir(name, tell) })),
  ]
  const closing: Step[] = [
    ...recordings.map((name) => ({ title: `Upload of ${name}`, run: () => arrived(name) })),
    ...recordings.map((name) => ({ title: `Publishing ${name}`, run: () => published(name) })),
  ]
  await showSteps(opening, view)
  await showSteps(running, view, { concurrent: true })
  await showSteps(closing, view)

  async function happened(what: string, words: (show: ShowAnswer) => string): Promise<string> {
    const show = await sights.until(({ show }) => show.timeline.some((entry) => entry.what === what) && show)
    if (!show) throw new Error(`The show ended before: ${what}`)
    return words(show)
  }

  async function live(name: string, tell: Tell): Promise<string> {
    const end = await sights.until(
      ({ show }) => {
        const parts = show.recordings.filter((one) => one.name === name)
        const problem = parts.find((one) => one.problem && !one.archiveId)?.problem
        if (problem) throw new Error(`${name}: ${problem}`)
        const hasFailed = parts.at(-1)?.status === 'failed'
        return (isOver(show) || hasFailed) && { hasFailed }
      },
      ({ show }) => tell(countdown(show, lively)),
    )
    if (!end || end.hasFailed) throw new Error(`Recording ${name} failed`)
    return `Recording ${name} ended`
  }

  async function onAir(name: string, tell: Tell): Promise<string> {
    let hls: string | undefined
    const found = await sights.until(
      ({ show }) => isOver(show) && show,
      ({ show }) => {
        hls = show.broadcasts.findLast((one) => one.name === name && one.hls)?.hls ?? hls
        if (hls) tell(`watch it live: ${hls}`)
      },
    )
    const broadcast = found?.broadcasts.findLast((one) => one.name === name)
    if (broadcast?.problem || broadcast?.status === undefined)
      throw new Error(`${name}: ${broadcast?.problem ?? 'it did not go on air'}`)
    if (broadcast.status === 'failed') throw new Error(`Broadcast ${name} failed`)
    return `Broadcast ${name} was on air${hls ? ` at ${hls}` : ''}`
  }

  async function arrived(name: string): Promise<string> {
    const parts = await sights.until(({ show }) => show.result?.recordings.filter((one) => one.name === name))
    const lost = parts?.find((one) => one.lost)?.lost
    if (!parts || lost) throw new Error(`${name}: ${lost ?? 'not reached'}`)
    return `Upload of ${name}: ${inMegabytes(parts.reduce((sum, { size = 0 }) => sum + size, 0))}`
  }

  async function published(name: string): Promise<string> {
    const found = await sights.until(({ show, published }: ShowSnapshot) => {
      const parts = show.recordings.filter((one) => one.name === name)
      const isDone = show.result && parts.every(({ archiveId }) => isPublished(archiveId, published))
      return isDone && published.filter((one) => parts.some(({ archiveId }) => archiveId === one.archiveId))
    })
    const failed = found?.find(({ status }) => status !== 'complete')
    if (!found || failed) throw new Error(`${name}: ${failed?.message ?? 'nothing was published'}`)
    return `Published ${name}`
  }
}

type Tell = (detail: string) => void

/** Shows steps until the last has ended, however it ended: what failed is told by the summary as well. */
export async function showSteps(
  steps: readonly Step[],
  { stream, signal }: View,
  { concurrent = false } = {},
): Promise<void> {
  if (signal.aborted) return
  const logger = new ListrLogger({ processOutput: new ProcessOutput(stream, stream) })
  await new Listr(steps.map(task), {
    concurrent,
    exitOnError: false,
    registerSignalListeners: false,
    renderer: stream.isTTY ? 'default' : 'simple',
    rendererOptions: { logger } as never, // its type knows the renderer only when that is written out
  }).run()
}

const task = ({ title, run }: Step): ListrTask => ({
  title,
  task: async (_context, shown) => {
    let last = ''
    const tell = (detail: string) => {
      if (detail !== last) shown.output = detail
      last = detail
    }
    try {
      shown.title = await run(tell)
    } catch (error) {
      if (!isInterruption(error)) throw error
      shown.skip(`${title}: interrupted`)
    }
  },
})

const isOver = ({ status, result }: ShowAnswer) => status === 'ending' || result !== undefined

/** How far a live show is; elsewhere than on a terminal every change is a line, so there it is told once. */
function countdown({ liveAt, plannedEndAt }: ShowAnswer, lively: boolean): string {
  if (!liveAt || !plannedEndAt) return 'starting'
  const total = Math.round((Date.parse(plannedEndAt) - Date.parse(liveAt)) / 1000)
  if (!lively) return `recording for ${total} s`
  const done = Math.round((Date.now() - Date.parse(liveAt)) / 1000)
  return `recording, ${Math.max(0, Math.min(done, total))} of ${total} s`
}

export const inMegabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`

const shorten = (id = '') => (id.length > 24 ? `${id.slice(0, 12)}…${id.slice(-8)}` : id)
