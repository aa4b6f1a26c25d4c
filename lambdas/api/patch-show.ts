import type { Services } from '../../lib/services/services.ts'
import type { ControlBody } from '../../lib/workflow/controls.ts'
import type { ShowState } from '../../lib/workflow/documents/state.ts'
import { type Composed, makeChanges, problemsOfChanges, titleOf } from './composed-changes.ts'
import { control, type Done } from './control.ts'
import { askedEnd, problemsOfEnd } from './planned-end.ts'
import { ApiProblem } from './problem.ts'
import type { ApiEvent, Asked } from './request.ts'

type Change = ControlBody<'change'>
type Layout = Change['layouts'][number]['layout']

/**
 * `PATCH /shows/{id}`: moves the end of a live show, changes layouts and streams. All of it is checked before any of it is
 * done; each change sets something, so that it may be asked for again when one of them fails.
 */
export async function patchShow(event: ApiEvent, services: Services, { log }: Asked) {
  let made: { change: Change; before: ShowState } | undefined
  const answer = await control(
    event,
    { services, log },
    {
      name: 'change',
      async carryOut(state, change) {
        const { show } = await services.shows.request(state.showId)
        const end = askedEnd(change, state)
        const path = change.duration === undefined ? 'endsAt' : 'duration'
        const problems = [
          ...(end === undefined ? [] : await problemsOfEnd(end, path, state, services)),
          ...problemsOfChanges(change, state, show),
        ]
        if (problems.length > 0) throw new ApiProblem(409, 'The show does not allow this; see problems.', problems)
        await makeChanges(change, { state }, services)
        made = { change, before: state }
        const plannedEndAt = end === undefined ? undefined : new Date(end).toISOString()
        return {
          happened: happenedBy(change, plannedEndAt),
          change(latest) {
            if (plannedEndAt) refuseEnded(latest, services.clock.now())
            return { ...latest, ...layoutsBy(change, latest), ...(plannedEndAt && { plannedEndAt }) }
          },
        }
      },
    },
  )
  // A part that began meanwhile was not there to be changed, and may have begun as things were before.
  if (made && made.change.layouts.length + made.change.streams.length > 0) {
    const state = await services.shows.state(made.before.showId)
    await makeChanges(made.change, { ...made, state }, services)
  }
  return answer
}

/** Once its time is up, or it was asked to stop, its machine may have seen so already. */
function refuseEnded({ showId, plannedEndAt = '', stopAskedAt, endedAt }: ShowState, now: number): void {
  if (stopAskedAt || endedAt || Date.parse(plannedEndAt) <= now)
    throw new ApiProblem(409, `The show ${showId} has come to its end meanwhile, which cannot be moved any more.`)
}

/** The parts to come begin with the layout that was asked for last. */
function layoutsBy({ layouts }: Change, { recordings, broadcasts }: ShowState) {
  const withLayout = <Entry>(entry: Entry, layout: Layout | undefined) => (layout ? { ...entry, layout } : entry)
  const layoutOf = (of: 'recording' | 'broadcast', name: string) => layouts.findLast((one) => one[of] === name)?.layout
  return {
    recordings: recordings.map((one) => withLayout(one, layoutOf('recording', one.name))),
    broadcasts: broadcasts.map((one) => withLayout(one, layoutOf('broadcast', one.name))),
  }
}

const happenedBy = ({ layouts, streams }: Change, plannedEndAt: string | undefined): Done['happened'] => [
  ...entriesOf('control.layout', layouts, (one) => `The layout of ${titleOf(one)} is ${one.layout.type}.`),
  ...entriesOf('control.streams', streams, ({ addStream, removeStream, ...of }) =>
    removeStream
      ? `The stream ${removeStream} was removed from ${titleOf(of)}.`
      : `The stream ${addStream} was added to ${titleOf(of)}.`,
  ),
  ...(plannedEndAt ? [{ what: 'control.duration' as const, detail: `The show ends at ${plannedEndAt}.` }] : []),
]

/** One for each name, since that is what a timeline tells entries of one control apart by. */
function entriesOf<One extends Composed>(
  what: 'control.layout' | 'control.streams',
  changes: readonly One[],
  inWords: (change: One) => string,
): Done['happened'] {
  const named = Map.groupBy(changes, ({ recording, broadcast }) => recording ?? broadcast ?? '')
  return [...named].map(([name, ofOne]) => ({ what, name, detail: ofOne.map(inWords).join(' ') }))
}
