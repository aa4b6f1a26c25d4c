import type { RecordingResult, ShowResult } from '../../../lib/show/state/result.ts'

/** The fields of a result that describe a show’s outcome. */
export type Ended = Pick<
  ShowResult,
  'status' | 'recordings' | 'broadcasts' | 'scenes' | 'dialIns' | 'timeline' | 'automaticArchives'
>

/** Describes what a fault changed, compared with the same show without it; `nothing` if it changed nothing. */
export function describeChange(ended: Ended | null, faultless: Ended | null): string {
  if (!ended) return faultless ? 'no show' : 'nothing'
  if (!faultless) return `${ended.status} though unscheduled`
  const changes = [
    ...(ended.status === faultless.status ? [] : [ended.status]),
    ...count(ended, faultless, 'recording lost', ({ recordings }) => recordings.filter(({ lost }) => lost)),
    ...count(ended, faultless, 'recording rescued', ({ recordings }) => recordings.filter(isRescued)),
    ...count(ended, faultless, 'broadcast failed', ({ broadcasts }) => broadcasts.filter(hasFailed)),
    ...count(ended, faultless, 'scene failed', ({ scenes }) => scenes.filter(hasFailed)),
    ...count(ended, faultless, 'dial-in failed', ({ dialIns }) => dialIns.filter(hasFailed)),
    ...count(ended, faultless, 'dial-in unknown', ({ dialIns }) =>
      dialIns.filter(({ status }) => status === 'unknown'),
    ),
    ...count(ended, faultless, 'announcement failed', happened('announcement.failed')),
    ...count(ended, faultless, 'cue failed', happened('cue.failed')),
    ...missing(ended, faultless),
    ...count(ended, faultless, 'end by the sweep', happened('show.closing')),
  ]
  return changes.join(', ') || 'nothing'
}

const isRescued = ({ rescued, lost }: RecordingResult) => rescued && !lost
const hasFailed = ({ problem, status }: { problem?: string | undefined; status?: string | undefined }) =>
  problem !== undefined || status === 'failed'
const happened =
  (what: string) =>
  ({ timeline }: Ended) =>
    timeline.filter((entry) => entry.what === what)

/** Counts how many more there are than without the fault. */
function count(ended: Ended, faultless: Ended, word: string, of: (one: Ended) => readonly unknown[]): string[] {
  const more = of(ended).length - of(faultless).length
  return more > 0 ? [more === 1 ? word : `${more} × ${word}`] : []
}

/** Returns the controls that only the show without the fault applied. */
function missing(ended: Ended, faultless: Ended): string[] {
  const kinds = new Set(faultless.timeline.flatMap(({ what }) => (what.startsWith('control.') ? [what] : [])))
  return [...kinds].flatMap((what) => {
    const name = what.slice('control.'.length)
    return count(faultless, ended, `${name} refused`, happened(what))
  })
}
