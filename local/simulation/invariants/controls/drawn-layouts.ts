import type { Evidence } from '../evidence.ts'
import { partRunsOf } from '../parts/part-runs.ts'
import { interruptions } from '../parts/watch-faults.ts'

/** Seconds around the note of a change in which a part may begin or end. */
const AROUND = 60
/** Matches the last layout that a note states. */
const STATED = /is (\w+)\.$/

/** Checks that a layout that a show notes as changed was drawn by the part that ran then. A caller or a cue has asked for it. */
export const drawnLayouts = ({
  shows,
  statusChanges,
  layouts,
  trace,
}: Pick<Evidence, 'shows' | 'statusChanges' | 'layouts' | 'trace'>): string[] =>
  shows.flatMap(({ showId, state }) => {
    const runs = (['archive', 'broadcast'] as const).flatMap((kind) => partRunsOf(showId, kind, statusChanges))
    const notes = (state?.timeline ?? []).filter(({ what }) => what === 'control.layout' || what === 'cue.layout')
    return notes.flatMap(({ name, at, detail = '' }) => {
      const [, stated] = STATED.exec(detail) ?? []
      const [from, to] = [Date.parse(at) - AROUND * 1000, Date.parse(at) + AROUND * 1000]
      const during = runs.filter((run) => run.name === name && run.from <= from && run.to >= to)
      const isDrawn = ({ id }: { readonly id: string }) =>
        layouts.some((one) => one.id === id && one.layout.type === stated)
      const isHidden = trace.some(({ fault = '', at: time }) => interruptions.has(fault) && time >= from && time <= to)
      return stated === undefined || during.length === 0 || isHidden || during.some(isDrawn)
        ? []
        : [`the show ${showId.slice(0, 12)} notes that ${name} is drawn as ${stated}, which it never was`]
    })
  })
