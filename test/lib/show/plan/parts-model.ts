import { archiveReasons } from '../../../../lib/platform/contract/archives.ts'
import { limits } from '../../../../lib/platform/contract/limits.ts'
import { type ShowDocument, show as showSchema } from '../../../../lib/show/document/show.ts'
import { planParts, stepsAhead } from '../../../../lib/show/plan/next-parts.ts'
import { timeOfNextPoll } from '../../../../lib/show/plan/poll-interval.ts'
import { withPart } from '../../../../lib/show/state/part-entries.ts'
import type { ShowState } from '../../../../lib/show/state/state.ts'

export const BEGINNING = Date.UTC(2026, 0, 1)
export const at = (seconds: number) => new Date(BEGINNING + seconds * 1000).toISOString()

/** One archive or broadcast of the model's platform; times are seconds after the beginning. */
export interface Run {
  readonly kind: 'recordings' | 'broadcasts'
  readonly name: string
  readonly part: number
  readonly from: number
  readonly limit: number
  /** When it ends, unless it reaches its limit before. */
  to: number
  broke: boolean
}

export interface Course {
  /** Seconds. */
  readonly duration: number
  readonly recordings?: number
  readonly broadcasts?: ShowDocument['broadcasts']
  /** Seconds between the starts of the first parts. */
  readonly stagger?: number
  /** Seconds that starting or stopping takes. */
  readonly delay?: number
  /** Time at which the longest recording fails. */
  readonly breaks?: readonly number[]
  /** From when to when nothing can be started or stopped. */
  readonly outage?: readonly [number, number]
  /** Of every recording. */
  readonly pauses?: readonly { readonly from: number; readonly to: number }[]
}

/** A model of the watch machine on a platform that stops parts at their limit. */
export function follow(course: Course) {
  const {
    duration,
    recordings: many = 1,
    broadcasts = [],
    stagger = 0,
    delay = 1,
    breaks = [],
    outage,
    pauses,
  } = course
  const names = Array.from({ length: many }, (_, index) => ({
    name: `recording-${index}`,
    ...(pauses && { pauses: [...pauses] }),
  }))
  const show = showSchema.parse({ version: 1, name: 'A show', duration, recordings: names, broadcasts })
  const runs: Run[] = []
  let state = {
    ...{ version: 1, showId: 'a', name: 'A show', status: 'live', acceptedAt: at(0), liveAt: at(0) },
    ...{ plannedEndAt: at(duration), recordings: [], broadcasts: [], scenes: [], dialIns: [], controls: [] },
    ...{ closings: 0, timeline: [] },
  } as ShowState
  const limitOf = (kind: Run['kind'], name: string) =>
    kind === 'recordings'
      ? limits.archiveDuration.value
      : (show.broadcasts.find((one) => one.name === name)?.maxDuration ?? limits.broadcastDurationMax.value)
  const start = (kind: Run['kind'], name: string, part: number, from: number) => {
    const limit = limitOf(kind, name)
    runs.push({ kind, name, part, from, limit, to: from + limit, broke: false })
    const entry = { name, part, tag: `a/${name}/${part}`, createdAt: at(from), status: 'started' as const }
    const id = `${name}/${part}`
    state =
      kind === 'recordings'
        ? { ...state, recordings: withPart(state.recordings, { ...entry, archiveId: id }) }
        : { ...state, broadcasts: withPart(state.broadcasts, { ...entry, broadcastId: id, hlsStatus: 'live' }) }
  }
  for (const [index, { name }] of show.recordings.entries()) start('recordings', name, 1, index * stagger)
  for (const { name } of show.broadcasts) start('broadcasts', name, 1, 0)

  const ended = (kind: Run['kind'], name: string, part: number, now: number) =>
    runs.find((run) => run.kind === kind && run.name === name && run.part === part && run.to <= now)
  const see = (now: number) => {
    state = {
      ...state,
      recordings: state.recordings.map((one) => {
        const run = ended('recordings', one.name, one.part, now)
        if (!run || one.status !== 'started') return one
        const reason = run.broke ? archiveReasons.failure : archiveReasons.maximumDuration
        return { ...one, status: run.broke ? 'failed' : 'uploaded', ...(!one.stoppedAt && { reason }) }
      }),
      broadcasts: state.broadcasts.map((one) =>
        ended('broadcasts', one.name, one.part, now) ? { ...one, status: 'stopped' as const } : one,
      ),
    }
  }

  const pending = [...breaks]
  let looks = 0
  let rolls = 0
  for (let now = 0; now < duration; ) {
    for (; pending.length > 0 && (pending[0] ?? 0) <= now; pending.shift()) {
      const running = runs.filter((run) => run.kind === 'recordings' && run.from <= now && run.to > now)
      const oldest = running.toSorted((one, other) => one.from - other.from)[0]
      if (oldest) Object.assign(oldest, { to: now, broke: true })
    }
    see(now)
    looks++
    const situation = { show, state, broadcasts: [], isFresh: true, now: BEGINNING + now * 1000 }
    const steps = stepsAhead(situation)
    const due = planParts(situation, steps)
    const next = (timeOfNextPoll(situation, steps) - BEGINNING) / 1000
    if (due && !(outage && now >= outage[0] && now < outage[1])) {
      rolls++
      now += delay
      for (const kind of ['recordings', 'broadcasts'] as const) {
        for (const { name, part } of due[kind].stop) {
          const run = runs.find((one) => one.kind === kind && one.name === name && one.part === part)
          if (run) run.to = Math.min(run.to, now)
          const stop = <Entry extends { name: string; part: number }>(one: Entry) =>
            one.name === name && one.part === part ? { ...one, stoppedAt: at(now), status: 'stopped' as const } : one
          state = { ...state, recordings: kind === 'recordings' ? state.recordings.map(stop) : state.recordings }
          state = { ...state, broadcasts: kind === 'broadcasts' ? state.broadcasts.map(stop) : state.broadcasts }
        }
        for (const { name, part } of due[kind].start) start(kind, name, part, now)
      }
    }
    now = Math.max(next, now + 0.2)
  }
  for (const run of runs) run.to = Math.min(run.to, duration)
  return { show, runs, looks, rolls, state }
}

/** The stretches of a show in which nothing of this name ran. */
export function gaps(runs: readonly Run[], name: string, duration: number): [number, number][] {
  const own = runs.filter((run) => run.name === name).toSorted((one, other) => one.from - other.from)
  const found: [number, number][] = []
  let covered = own[0]?.from ?? 0
  for (const { from, to } of own) {
    if (from > covered) found.push([covered, from])
    covered = Math.max(covered, to)
  }
  if (covered < duration) found.push([covered, duration])
  return found
}

/** The most that ran at once of this name. */
export function mostAtOnce(runs: readonly Run[], name: string): number {
  const own = runs.filter((run) => run.name === name)
  return Math.max(...own.map(({ from }) => own.filter((run) => run.from <= from && run.to > from).length))
}
