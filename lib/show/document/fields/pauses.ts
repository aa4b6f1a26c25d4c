import { z } from 'zod'

/** Planned pauses of one recording. */
export const MAX_PAUSES = 20
/** Seconds of a pause, and of what is recorded before, between and after pauses: a stop and a start take a few of them. */
export const MIN_PAUSE = 10

/** One entry of `pauses`: a planned gap of a recording. */
export const pauseOrder = z.strictObject({
  from: z
    .int()
    .min(MIN_PAUSE)
    .describe(`Seconds of live time at which the recording pauses, counted as duration is; at least ${MIN_PAUSE}.`),
  to: z
    .int()
    .min(2 * MIN_PAUSE)
    .describe(
      `Seconds of live time at which it resumes: at least ${MIN_PAUSE} after from, before the next pause, and before the end of the show.`,
    ),
})

type PauseOrder = z.output<typeof pauseOrder>

interface PausedRecording {
  readonly pauses?: readonly PauseOrder[] | undefined
  readonly parts?: boolean
  readonly streamMode?: string
}

interface Problem {
  /** Field of a pause by its index; the list without it. */
  readonly place: readonly ['pauses'] | readonly ['pauses', number, keyof PauseOrder]
  readonly message: string
}

/** Returns the problems of a recording's pauses that concern several fields. @param duration of the show in seconds */
export function problemsOfPauses({ pauses, parts, streamMode }: PausedRecording, duration: number): Problem[] {
  if (!Array.isArray(pauses) || pauses.length === 0) return []
  return [
    ...(parts === false
      ? [problem(['pauses'], 'must not be set with parts false: a recording resumes in another part')]
      : []),
    ...(streamMode === 'manual'
      ? [problem(['pauses'], 'must not be set with streamMode manual: the platform forgets the selected streams')]
      : []),
    ...pauses.flatMap((_, index) => [...problemsOfPause(pauses, index, duration)]),
  ]
}

function* problemsOfPause(
  pauses: readonly (Partial<PauseOrder> | null | undefined)[],
  index: number,
  duration: number,
): Generator<Problem> {
  const [{ from, to }, before] = [pauses[index] ?? {}, pauses[index - 1]]
  if (typeof from !== 'number' || typeof to !== 'number') return
  if (typeof before?.to === 'number' && from < before.to + MIN_PAUSE)
    yield problem(
      ['pauses', index, 'from'],
      `must be at least ${MIN_PAUSE} s after the pause before, at ${before.to} s`,
    )
  if (to < from + MIN_PAUSE) yield problem(['pauses', index, 'to'], `must be at least ${MIN_PAUSE} s after from`)
  else if (to > duration - MIN_PAUSE)
    yield problem(
      ['pauses', index, 'to'],
      `must be at least ${MIN_PAUSE} s before the end of the show, which lasts ${duration} s`,
    )
}

const problem = (place: Problem['place'], message: string): Problem => ({ place, message })

/** Returns the seconds before, between and after the pauses of a recording. @param duration of the show in seconds */
export function recordedStretches({ pauses = [] }: Pick<PausedRecording, 'pauses'>, duration: number): number[] {
  const begins = [0, ...pauses.map(({ to }) => to)]
  return begins.map((begin, index) => (pauses[index]?.from ?? duration) - begin)
}
