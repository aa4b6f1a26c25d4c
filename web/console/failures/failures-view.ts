import { createList, element, setText, type View } from '../../dom.ts'
import { timeOfDay } from '../../format.ts'
import type { KnownRecording, Show } from '../answers.ts'
import { createCourseReader } from './course-reader.ts'
import { adviceOn, runbookLink } from './failure-advice.ts'
import { type Failure, failuresOf } from './failures.ts'

/** Failures that are listed. Others are counted. */
const MAX_LISTED = 8

interface FailureState {
  readonly show: Show
  readonly recordings: readonly KnownRecording[]
  readonly now: number
}

/** Creates the list of what is wrong with a show, which screen readers announce as it changes. */
export function createFailuresView({ name }: Pick<Show, 'name'>): View<FailureState> {
  const course = createCourseReader()
  const list = element('ul')
  const more = element('p', { class: 'quiet' })
  const root = element('div', { class: 'failures', role: 'log', 'aria-label': `Failures of ${name}` }, list, more)
  const update = createList<Failure>(list, ({ key }) => key, createFailure)
  return {
    element: root,
    update({ show, recordings, now }) {
      const failures = failuresOf({ show, recordings, ...course.latest(show, now) }, now)
      root.hidden = failures.length === 0
      update(failures.slice(0, MAX_LISTED))
      const rest = failures.length - MAX_LISTED
      setText(more, rest > 0 ? `${rest} more are in the timeline.` : undefined)
    },
  }
}

function createFailure({ code }: Failure): View<Failure> {
  const { does, can, runbook } = adviceOn(code)
  const title = element('strong')
  const when = element('span', { class: 'quiet' })
  const detail = element('p')
  const link = element(
    'a',
    { href: runbookLink(runbook), target: '_blank', rel: 'noopener noreferrer' },
    `Runbook: ${runbook}`,
  )
  const advice = element(
    'dl',
    {},
    ...[element('dt', {}, 'Showrunner'), element('dd', {}, does), element('dt', {}, 'You')],
    element('dd', {}, can, ' ', link),
  )
  const root = element('li', {}, element('p', {}, title, ' ', when), detail, advice)
  return {
    element: root,
    update({ title: text, since, until, detail: reason }) {
      setText(title, text)
      setText(when, spanOf(since, until))
      setText(detail, reason)
      root.dataset.state = until === undefined ? 'lasts' : 'survived'
      advice.hidden = until !== undefined
    },
  }
}

function spanOf(since: string | undefined, until: string | undefined): string | undefined {
  if (since === undefined) return until && `survived at ${timeOfDay(until)}`
  return until ? `${timeOfDay(since)} to ${timeOfDay(until)}: survived` : `since ${timeOfDay(since)}`
}
