import { readStored } from '../../records/stored-documents.ts'
import type { Services, TaskRun } from '../../services.ts'
import { keys } from '../../show/state/keys.ts'
import { type PublishQueue, publishQueue, type QueuedPublish } from '../../show/state/publish-queue.ts'
import { archiveIdIn } from '../origin.ts'
import { askTurn, idleFor } from './queued-turns.ts'

type Reach = Pick<Services, 'storage' | 'publishExecutions' | 'clock' | 'random' | 'variable'>

/**
 * Milliseconds until the next poll: without a known pace, those of an execution that is among the next; the bounds with one.
 */
const POLL = 15_000
const MIN_POLL = 5_000
const MAX_POLL = 600_000
/** Part of the time until its turn, by the pace of the turns before it, after which an execution polls. */
const EARLY = 0.7
/** Polls after which the interval grows by 15 s with every second poll: two days of waiting then need about 300 polls. */
const GROWS_AFTER = 100
/** Milliseconds over which polls are spread. */
const SPREAD = 5_000
/** Attempts to write the queue in one call, and the milliseconds after which one outside the queue asks again. */
const MAX_WRITES = 6
const CONTENDED = 20_000
/** Milliseconds between two searches for ended executions, for up to 50 of them; more need longer. */
const CHECKS_APART = 5_000
const CHECKED_AT_ONCE = 50

/**
 * Takes a turn for one stage of a publish, or a place in the queue. A turn ends when its execution asks for the next one or is
 * over, which those who wait find out: no event has to arrive for that.
 * @throws {@link TaskInputError} when the key is not that of an archive
 */
export const takeTurn: TaskRun<'takeTurn', keyof Reach> = async (services, input, log) => {
  const { key, executionName, stage, polls = 0 } = input
  const { storage, clock, random } = services
  const max = Number(services.variable('MAX_PUBLISHES'))
  const archiveId = archiveIdIn(key)
  const since = new Date(clock.now()).toISOString()
  let size = input.size
  const pollAfter = (wait: number) => ({ polls: polls + 1, pollAt: new Date(clock.now() + wait).toISOString() })
  for (let attempt = 0; attempt < MAX_WRITES; attempt++) {
    const stored = await readStored(storage, keys.publishQueue, publishQueue)
    const before = stored?.document ?? nothingQueued
    const isNew = !before.waiting.some((one) => one.executionName === executionName)
    const ask = (queue: PublishQueue) =>
      askTurn(queue, { executionName, archiveId, stage, size: size ?? 0, since }, max)
    let after = ask(before)
    // The size does not matter while none waits.
    const isAlone = before.waiting.length === 0 && placeIn(after, executionName) === 0
    if (size === undefined && isNew && after !== before && !isAlone) {
      size = (await storage.sizeOf(key)) ?? 0
      after = ask(before)
    }
    if (placeIn(after, executionName) > 0 && isCheckDue(before, max, clock.now()))
      after = ask(await withoutEnded(before, max, services, log))
    if (after === before || (await storage.writeDocument(keys.publishQueue, after, stored?.etag))) {
      const place = placeIn(after, executionName)
      if (place === 0) return { hasTurn: true, ...pollAfter(0) }
      const wait = Math.max(untilPoll(after, place, { max, now: clock.now() }), POLL * ((polls - GROWS_AFTER) / 2))
      return { hasTurn: false, place, ...pollAfter(wait + random() * SPREAD) }
    }
    await clock.sleep(random() * 100 * 2 ** attempt)
  }
  return { hasTurn: false, ...pollAfter(CONTENDED * (0.5 + random())) }
}

const nothingQueued: PublishQueue = { version: 1, running: [], waiting: [] }

/** Returns the place of an execution that waits, from 1; 0 with a turn. */
const placeIn = ({ waiting }: PublishQueue, executionName: string): number =>
  waiting.findIndex((one) => one.executionName === executionName) + 1

/** Returns the milliseconds after which an execution at a place polls again: more while no turn is taken. */
function untilPoll(queue: PublishQueue, place: number, { max, now }: { max: number; now: number }): number {
  const { pace } = queue
  const expected =
    pace === undefined ? POLL * Math.ceil(place / max) : EARLY * Math.max(pace * place, idleFor(queue, now))
  return Math.min(MAX_POLL, Math.max(MIN_POLL, expected))
}

/** Returns those that keep others waiting: they have a turn, or are to take the next. */
const aheadIn = ({ running, waiting }: PublishQueue, max: number) => [...running, ...waiting.slice(0, max)]

function isCheckDue(queue: PublishQueue, max: number, now: number): boolean {
  const apart = CHECKS_APART * Math.max(1, aheadIn(queue, max).length / CHECKED_AT_ONCE)
  return now - Date.parse(queue.checkedAt ?? '1970-01-01') >= apart
}

/** Returns the queue without the executions that have ended. Those whose status cannot be read stay until the next search. */
async function withoutEnded(
  queue: PublishQueue,
  max: number,
  { publishExecutions, clock }: Reach,
  log: Parameters<TaskRun<'takeTurn'>>[2],
): Promise<PublishQueue> {
  const hasEnded = async ({ executionName }: QueuedPublish) =>
    (await publishExecutions.describe(executionName)).status !== 'running'
  const ahead = aheadIn(queue, max)
  const answers = await Promise.allSettled(ahead.map(hasEnded))
  const ended = new Set<QueuedPublish>()
  for (const [index, one] of ahead.entries()) {
    const found = answers[index]
    if (found?.status === 'rejected')
      log.warn('status not read', { executionName: one.executionName, error: found.reason })
    else if (found?.value) ended.add(one)
  }
  const isLeft = (one: QueuedPublish) => !ended.has(one)
  const checkedAt = new Date(clock.now()).toISOString()
  return { ...queue, running: queue.running.filter(isLeft), waiting: queue.waiting.filter(isLeft), checkedAt }
}
