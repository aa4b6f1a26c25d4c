import type { PublishQueue, QueuedPublish } from '../../show/state/publish-queue.ts'

/** Part of the turns that is left to archives which cannot be watched yet. */
const LEFT_TO_READY = 1 / 4
/** Weight of the latest turn in the pace, and the bound of milliseconds between two turns that count. */
const LATEST = 1 / 8
const MAX_PACE = 60_000

/**
 * Returns the queue after an execution asked for a turn: it has one, or waits at its place. The turn that it had is over. The
 * same queue is returned if nothing changes, as for a repeated request.
 * @param max turns at once
 */
export function askTurn(queue: PublishQueue, asked: QueuedPublish, max: number): PublishQueue {
  const isOther = ({ executionName }: QueuedPublish) => executionName !== asked.executionName
  const known = [...queue.running, ...queue.waiting].find((one) => !isOther(one))
  // A delayed duplicate of an earlier request must not put the execution back.
  const isBehind = known?.stage === 'complete' || known?.stage === asked.stage
  if (isBehind && queue.running.includes(known)) return queue
  const entry = isBehind ? known : { ...asked, since: known?.since ?? asked.since }
  const running = queue.running.filter(isOther)
  const waiting = [...queue.waiting.filter(isOther), entry].sort(byPriority)
  if (entitled(running, waiting, max).includes(entry))
    return { ...queue, running: [...running, entry], waiting: waiting.filter(isOther), ...paceOf(queue, asked.since) }
  return queue.waiting.includes(entry) ? queue : { ...queue, running, waiting }
}

/** Compares by priority: ready before complete, short before long, then by age. */
const byPriority = (one: QueuedPublish, other: QueuedPublish): number =>
  Number(one.stage === 'complete') - Number(other.stage === 'complete') ||
  one.size - other.size ||
  Date.parse(one.since) - Date.parse(other.since) ||
  (one.executionName < other.executionName ? -1 : 1)

/**
 * Returns those that wait and may take a free turn now: any of the first `max`, so that a turn does not stay free until one
 * of them polls.
 */
function entitled(running: readonly QueuedPublish[], waiting: readonly QueuedPublish[], max: number) {
  const isComplete = ({ stage }: QueuedPublish) => stage === 'complete'
  const maxComplete = Math.max(1, max - Math.ceil(max * LEFT_TO_READY))
  const free = max - running.length
  const freeToComplete = Math.min(
    free - waiting.filter((one) => !isComplete(one)).length,
    maxComplete - running.filter(isComplete).length,
  )
  return waiting.slice(0, max).filter((one) => (isComplete(one) ? freeToComplete : free) > 0)
}

/** Returns the pace after another turn was taken. One that is taken while none waits does not count. */
function paceOf(queue: PublishQueue, takenAt: string): Pick<PublishQueue, 'takenAt' | 'pace'> {
  if (queue.waiting.length === 0) return { takenAt: undefined, pace: undefined }
  if (queue.takenAt === undefined) return { takenAt }
  const apart = idleFor(queue, Date.parse(takenAt))
  return { takenAt, pace: queue.pace === undefined ? apart : queue.pace + LATEST * (apart - queue.pace) }
}

/** Returns the milliseconds since the last turn was taken, with an upper bound. */
export const idleFor = ({ takenAt = '' }: PublishQueue, now: number): number =>
  Math.min(MAX_PACE, now - (Date.parse(takenAt) || now))
