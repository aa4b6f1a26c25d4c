import { createList, element, setText, type View } from '../dom.ts'
import { clockTime, moment, timeOfDay } from '../format.ts'
import type { GreenRoom, KnownRecording, Show, TimelineEvent } from './answers.ts'
import { eventLabel, startLabel, statusLabel } from './labels.ts'
import { createLivePlayer } from './live-player.ts'
import { greenRoomOf, isOver, joinLinkOf, progress, type ResourceLine, resourceLines, stageOf } from './model.ts'
import { createRecordingPlayer } from './recording-player.ts'

/** A show and its recordings at a moment, in milliseconds since the epoch. */
export interface ShowState {
  readonly show: Show
  readonly recordings: readonly KnownRecording[]
  readonly greenRoom: GreenRoom
  readonly now: number
}

/** Creates the card of a show. It is unfolded if the show runs or is the newest. */
export function createShowCard({ show: { showId, name } }: ShowState, isNewest: boolean): View<ShowState> {
  const status = element('span', { class: 'status' })
  const when = element('span', { class: 'quiet' })
  const summary = element('summary', {}, element('h3', {}, name), status, when)
  const countdown = createCountdown()
  const reason = element('p', { class: 'reason' })
  const resources = element('ul', { class: 'resources' })
  const joining = createJoining(name)
  const timeline = element('ol', { class: 'timeline' })
  const id = element('p', { class: 'quiet id' }, `Show ${showId}`)
  const words = element('div', { class: 'words' }, countdown.element, joining.element, reason, resources, timeline, id)
  const stage = createStage(name)
  const card = element('details', { class: 'show' }, summary, element('div', { class: 'body' }, stage.element, words))
  card.open = isNewest

  const updateResources = createList<ResourceLine>(resources, ({ key }) => key, createResource)
  const updateTimeline = createList<TimelineEvent>(
    timeline,
    ({ what, name, part, id }) => [what, name, part, id].join(' '),
    createEvent,
  )

  return {
    element: card,
    update({ show, recordings, greenRoom, now }) {
      if (card.dataset.status === undefined && !isOver(show)) card.open = true
      card.dataset.status = show.status
      setText(status, statusLabel(show.status))
      setText(when, moment(show.liveAt ?? show.acceptedAt, now))
      setText(reason, show.result?.reason ?? show.endReason ?? startLabel(show.start))
      countdown.update(show, now)
      joining.update(show, greenRoom)
      updateResources(resourceLines(show, recordings))
      updateTimeline(show.timeline)
      stage.update(show, recordings, card.open)
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
  const root = element('div', { class: 'joining' }, link, participants)
  return {
    element: root,
    update(show: Show, greenRoom: GreenRoom) {
      const url = greenRoom.joinUrl && joinLinkOf(show, greenRoom.joinUrl)
      root.hidden = !url
      if (url && link.href !== url) link.href = url
      setText(participants, greenRoomOf(show, greenRoom))
    },
  }
}

function createResource({ kind, name }: ResourceLine): View<ResourceLine> {
  const state = element('span', { class: 'state' })
  const problem = element('p', { class: 'problem' })
  const label = element('span', {}, element('span', { class: 'quiet' }, `${kind} `), name)
  return {
    element: element('li', {}, label, state, problem),
    update(line) {
      setText(state, line.state)
      setText(problem, line.problem)
    },
  }
}

function createEvent(event: TimelineEvent): View<TimelineEvent> {
  const time = element('time', { datetime: event.at }, timeOfDay(event.at))
  return { element: element('li', {}, time, element('span', {}, eventLabel(event))), update() {} }
}

/** Creates the picture of a show: its broadcast, later its recording. */
function createStage(name: string) {
  const root = element('div', { class: 'picture' })
  const live = createLivePlayer()
  const recorded = createRecordingPlayer(`Recording of ${name}`)
  const frame = element('div', { class: 'stage' }, recorded.element)
  const put = (shown: HTMLElement) => {
    if (shown.parentElement !== root) root.replaceChildren(shown)
  }
  return {
    element: root,
    /** @param isOpen a folded show plays nothing */
    update(show: Show, recordings: readonly KnownRecording[], isOpen: boolean) {
      const stage = stageOf(show, recordings)
      root.hidden = !stage
      if (stage && 'recording' in stage) {
        recorded.update(stage.recording)
        put(frame)
      }
      if (stage && 'live' in stage && isOpen) {
        put(live.element)
        live.play(stage.live)
      } else live.stop()
      if (!isOpen) recorded.stop()
    },
  }
}
