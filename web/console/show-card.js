/** @import { Happening, KnownRecording, Show } from './answers.d.ts' */
import { createList, element, setText } from './dom.js'
import { clock, happeningWords, moment, second, startWords, statusWords } from './format.js'
import { createLivePlayer } from './live-player.js'
import { isOver, progress, resourceLines, stageOf } from './model.js'
import { createRecordingPlayer } from './recording-player.js'

/** @typedef {{ show: Show, recordings: readonly KnownRecording[], now: number }} Sight */

/**
 * A show that can be folded; open as long as it runs, or when it is the newest.
 * @param {Sight} sight
 * @param {boolean} isNewest
 */
export function createShowCard({ show: { showId, name } }, isNewest) {
  const status = element('span', { class: 'status' })
  const when = element('span', { class: 'quiet' })
  const summary = element('summary', {}, element('h3', {}, name), status, when)
  const countdown = createCountdown()
  const reason = element('p', { class: 'reason' })
  const resources = element('ul', { class: 'resources' })
  const timeline = element('ol', { class: 'timeline' })
  const id = element('p', { class: 'quiet id' }, `Show ${showId}`)
  const words = element('div', { class: 'words' }, countdown.element, reason, resources, timeline, id)
  const stage = createStage(name)
  const card = element('details', { class: 'show' }, summary, element('div', { class: 'body' }, stage.element, words))
  card.open = isNewest

  const listResources = createList(resources, ({ key }) => key, createResource)
  const listHappenings = createList(
    timeline,
    (/** @type {Happening} */ { what, name, part, id }) => [what, name, part, id].join(' '),
    createHappening,
  )

  return {
    element: card,
    /** @param {Sight} sight */
    update({ show, recordings, now }) {
      if (card.dataset.status === undefined && !isOver(show)) card.open = true
      card.dataset.status = show.status
      setText(status, statusWords(show.status))
      setText(when, moment(show.liveAt ?? show.acceptedAt, now))
      setText(reason, show.result?.reason ?? show.endReason ?? startWords(show.start))
      countdown.update(show, now)
      listResources(resourceLines(show, recordings))
      listHappenings(show.timeline)
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
    /**
     * @param {Show} show
     * @param {number} now
     */
    update(show, now) {
      const state = progress(show, now)
      root.hidden = !state
      setText(digits, state && clock(state.seconds))
      setText(label, state?.label)
      bar.hidden = state?.fraction === undefined
      if (state?.fraction !== undefined) bar.value = Math.min(1, state.fraction)
    },
  }
}

/** @param {ReturnType<typeof resourceLines>[number]} line */
function createResource({ kind, name }) {
  const state = element('span', { class: 'state' })
  const problem = element('p', { class: 'problem' })
  const label = element('span', {}, element('span', { class: 'quiet' }, `${kind} `), name)
  return {
    element: element('li', {}, label, state, problem),
    /** @param {ReturnType<typeof resourceLines>[number]} line */
    update(line) {
      setText(state, line.state)
      setText(problem, line.problem)
    },
  }
}

/** @param {Happening} happening */
function createHappening(happening) {
  const { at } = happening
  const time = element('time', { datetime: at }, second(at))
  return { element: element('li', {}, time, element('span', {}, happeningWords(happening))), update() {} }
}

/**
 * The show's picture: its broadcast, later its recording.
 * @param {string} name
 */
function createStage(name) {
  const root = element('div', { class: 'picture' })
  const live = createLivePlayer()
  const recorded = createRecordingPlayer(`Recording of ${name}`)
  const frame = element('div', { class: 'stage' }, recorded.element)
  const put = (/** @type {HTMLElement} */ shown) => {
    if (shown.parentElement !== root) root.replaceChildren(shown)
  }
  return {
    element: root,
    /**
     * @param {Show} show
     * @param {readonly KnownRecording[]} recordings
     * @param {boolean} isOpen a folded show plays nothing
     */
    update(show, recordings, isOpen) {
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
