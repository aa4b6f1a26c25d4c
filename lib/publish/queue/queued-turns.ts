import type { PublishQueue, QueuedPublish } from '../../show/state/publish-queue.ts'

/** Part of the turns that is left to archives which cannot be watched yet. */
const LEFT_TO_READY = 1 / 4

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
    return { ...queue, running: [...running, entry], waiting: waiting.filter(isOther) }
  return queue.waiting.includes(entry) ? queue : { ...queue, running, waiting }
}

/** Compares by priority: ready before complete, short before long, then by age. */
const byPriority = (one: QueuedPublish, other: QueuedPublish): number =>
  Number(one.stage === 'complete') - Number(other.stage === 'complete') ||
  one.size - other.size ||
  Date.parse(one.since) - Date.parse(other.since) ||
  (one.executionName < other.executionName ? -1 : 1)

/** Returns those that wait and may take a free turn now. */
function entitled(running: readonly QueuedPublish[], waiting: readonly QueuedPublish[], max: number) {
  const isComplete = ({ stage }: QueuedPublish) => stage === 'complete'
  const maxComplete = Math.max(1, max - Math.ceil(max * LEFT_TO_READY))
  const free = max - running.length
  const freeToComplete = maxComplete - running.filter(isComplete).length
  const ready = waiting.filter((one) => !isComplete(one)).slice(0, Math.max(0, free))
  const most = Math.max(0, Math.min(free - ready.length, freeToComplete))
  return [...ready, ...waiting.filter(isComplete).slice(0, most)]
}
