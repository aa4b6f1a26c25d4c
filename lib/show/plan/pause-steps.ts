import type { PartSequence, PartStep, SequencedPart } from './part-sequences.ts'

/** Seconds for which a part is started again and again although nothing runs that would show a connected participant. */
export const CONTINUE_WINDOW = 300

/** A list may lag behind a stop. */
const isRunning = ({ runs, wasStopped }: SequencedPart) => runs && !wasStopped

/** Returns the stops of the running parts at the pause that has begun or is next. */
export function stopsForPause({ kind, name, parts, pauses }: PartSequence, now: number): PartStep[] {
  const pause = pauses.find(({ to }) => to > now)
  if (!pause) return []
  return parts
    .filter(isRunning)
    .map(({ part }) => ({ kind, action: 'stop', name, part, at: pause.from, isExact: true }))
}

/**
 * Returns the start of the part that follows a pause: one that has begun, or that begins before the running part has to be
 * followed by another. A part that ended shortly before a pause continues after it: participants may leave early.
 * @param isConnected true if something runs, which shows a connected participant
 */
export function startAfterPause(sequence: PartSequence, now: number, isConnected: boolean): PartStep | undefined {
  const { parts, pauses } = sequence
  const last = parts.at(-1)
  if (!last) return undefined
  const pause = isRunning(last)
    ? pauses.find(({ from, to }) => to > now && from < last.endsAt)
    : pauses.findLast(({ from, to }) => from <= now && last.createdAt < to)
  if (!pause) return undefined
  const isGivenUp = !isConnected && now >= pause.to + CONTINUE_WINDOW * 1000
  return isGivenUp ? undefined : stepAt(sequence, last.part + 1, pause.to)
}

/** Returns a start outside pauses: one that would be within or after a pause follows the pause. */
export function outsidePauses(sequence: PartSequence, step: PartStep | undefined, now: number): PartStep | undefined {
  const last = sequence.parts.at(-1)
  if (!last || isRunning(last)) return step
  const until = step ? Math.max(step.at, now) : now + CONTINUE_WINDOW * 1000
  const pause = sequence.pauses.find(({ from, to }) => to > now && from <= until)
  return pause ? stepAt(sequence, last.part + 1, pause.to) : step
}

const stepAt = ({ kind, name }: PartSequence, part: number, at: number): PartStep => ({
  ...{ kind, action: 'start', name, part, at, isExact: true },
})
