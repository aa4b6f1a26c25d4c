import { createList, element, setText, type View } from '../dom.ts'
import { clockTime, timeOfDay } from '../format.ts'
import type { GreenRoom, KnownRecording, ListedStream, Show, TimelineEvent } from './answers.ts'
import { withStreamNames } from './controls/control-state.ts'
import { copyText } from './copy-text.ts'
import { createFailuresView } from './failures/failures-view.ts'
import { linkTo } from './keys/deep-link.ts'
import { eventLabel, startLabel, statusLabel, timeLabel } from './labels.ts'
import { greenRoomOf, joinLinkOf, progress } from './model.ts'
import { createResourceList } from './outputs/resource-list.ts'
import { createProgram } from './program/program.ts'
import { createShowRoom } from './room/show-room.ts'
import { createShowControls } from './show-controls.ts'
import { isRunning } from './show-list.ts'

/** Milliseconds for which the answer to a click stays. */
const ANSWER_MS = 4_000

/** A show and its recordings at a moment, in milliseconds since the epoch. */
export interface ShowState {
  readonly show: Show
  readonly recordings: readonly KnownRecording[]
  readonly greenRoom: GreenRoom
  /** The streams of its session, once they are read. */
  readonly streams: readonly ListedStream[] | undefined
  readonly now: number
}

/** Creates the card of a show. It is unfolded if the show runs or is the first. */
export function createShowCard({ show: first }: ShowState, isFirst: boolean): View<ShowState> {
  const { showId, name } = first
  const status = element('span', { class: 'status' })
  const when = element('span', { class: 'quiet' })
  const summary = element('summary', {}, element('h3', {}, name), status, when)
  const countdown = createCountdown()
  const reason = element('p', { class: 'reason' })
  const resources = createResourceList(first)
  const joining = createJoining(name)
  const viewing = createViewing(name)
  const links = element('div', { class: 'links' }, joining.link, ...viewing.elements)
  const timeline = element('ol', { class: 'timeline' })
  const history = element(
    'div',
    { class: 'scroller', tabindex: '0', role: 'group', 'aria-label': `Timeline of ${name}` },
    timeline,
  )
  const id = element('p', { class: 'quiet id' }, 'Show ', element('a', { href: linkTo({ show: showId }) }, showId))
  const controls = createShowControls(first)
  const stage = createProgram(name)
  const room = createShowRoom(first)
  const failures = createFailuresView(first)
  const head = element(
    'div',
    { class: 'head' },
    ...[countdown.element, controls.time, reason, links, joining.participants, controls.people],
  )
  const words = element('div', { class: 'words' }, resources.element, controls.outputs, history, id)
  const pictures = element('div', { class: 'pictures' }, stage.element, controls.streams)
  const card = element(
    'details',
    { class: 'show', id: `show-${showId}`, 'data-link': linkTo({ show: showId }) },
    summary,
    failures.element,
    element('div', { class: 'body' }, head, pictures, controls.program, words, room.element),
  )
  card.open = isFirst

  const updateTimeline = createList<TimelineEvent>(
    timeline,
    ({ what, name, part, id }) => [what, name, part, id].join(' '),
    createEvent,
  )

  let wasRunning = false

  return {
    element: card,
    update({ show, recordings, greenRoom, streams, now }) {
      // A show that begins is unfolded once. A user may fold it again.
      if (isRunning(show) && !wasRunning) card.open = true
      wasRunning = isRunning(show)
      card.dataset.status = show.status
      setText(status, statusLabel(show.status))
      setText(when, timeLabel(show, now))
      setText(reason, show.result?.reason ?? show.endReason ?? startLabel(show.start))
      countdown.update(show, now)
      joining.update(show, greenRoom)
      viewing.update(show)
      controls.update(show, streams, card.open)
      resources.update({ show, recordings, isOpen: card.open, now, played: stage.played(show) })
      updateTimeline(withStreamNames(show.timeline, streams ?? []).toReversed())
      history.hidden = show.timeline.length === 0
      stage.update(show, recordings, card.open)
      if (!card.open) return
      failures.update({ show, recordings, now })
      room.update({ show, streams, now })
    },
  }
}

function createCountdown() {
  const digits = element('span', { class: 'digits' })
  const label = element('span', { class: 'quiet' })
  const bar = element('progress', { max: '1', 'aria-label': 'How much of the show is over' })
  const root = element('div', { class: 'countdown' }, digits, label, bar)
  return {
    element: root,
    update(show: Show, now: number) {
      const state = progress(show, now)
      root.hidden = !state
      setText(digits, state && clockTime(state.seconds))
      setText(label, state?.label)
      bar.hidden = state?.fraction === undefined
      if (state?.fraction !== undefined) bar.value = Math.min(1, state.fraction)
    },
  }
}

/** Creates the link by which participants join, and the line of those who are there before the show is live. */
function createJoining(name: string) {
  const link = element('a', { class: 'join', target: '_blank', rel: 'noopener' }, 'Join')
  link.setAttribute('aria-label', `Join ${name}, in a new tab`)
  const participants = element('p', { class: 'green-room', role: 'status' })
  return {
    link,
    participants,
    update(show: Show, greenRoom: GreenRoom) {
      const url = greenRoom.joinUrl && joinLinkOf(show, greenRoom.joinUrl)
      link.hidden = !url
      if (url && link.href !== url) link.href = url
      setText(participants, greenRoomOf(show, greenRoom))
    },
  }
}

/** Creates the link to the page of a show for its viewers, and the button that copies it. */
function createViewing(name: string) {
  const link = element('a', { class: 'view', target: '_blank', rel: 'noopener noreferrer' }, 'Page for viewers')
  link.setAttribute('aria-label', `Page for viewers of ${name}, in a new tab`)
  const copy = element(
    'button',
    { type: 'button', class: 'plain small', 'aria-label': `Copy link to the page of ${name}` },
    'Copy link',
  )
  const answer = element('span', { class: 'quiet', role: 'status' })
  copy.addEventListener('click', async () => {
    setText(answer, await copyText(link.href))
    setTimeout(() => setText(answer, undefined), ANSWER_MS)
  })
  return {
    elements: [link, copy, answer],
    update({ watch }: Show) {
      link.hidden = !watch
      copy.hidden = !watch
      if (watch && link.href !== watch.url) link.href = watch.url
    },
  }
}

function createEvent(event: TimelineEvent): View<TimelineEvent> {
  const time = element('time', { datetime: event.at }, timeOfDay(event.at))
  return { element: element('li', {}, time, element('span', {}, eventLabel(event))), update() {} }
}
