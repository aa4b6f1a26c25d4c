import type { WatchedShow } from '../../../lib/api/watched-show.ts'
import { byId, element, setText } from '../../dom.ts'
import { createCountdown } from './countdown.ts'
import { isBehind, type LivePlayer, playLive } from './live-player.ts'
import { namedTime } from './moment-address.ts'
import { connectMoment } from './share-moment.ts'
import { noticeOf, recordingLabel, recordingsNote } from './show-labels.ts'
import { followState } from './show-state.ts'

/** Actions of the page around the show. */
export interface ShowPageActions {
  notify(text: string): void
  showAccent(color: string): void
  /** Plays a recording in place of the live broadcast. @param path of its watch page, with credentials */
  watchRecording(path: string): void
}

/**
 * Shows a countdown, the live broadcast and then the recordings, whenever the show changes; of a series again for each start. The
 * page is never loaded again.
 */
export function keepShowPage({ notify, showAccent, watchRecording }: ShowPageActions): void {
  let latest: WatchedShow | undefined
  let watched: string | undefined
  const countdown = createCountdown(byId('p', 'countdown'), () => latest && notify(noticeOf(latest, Date.now())))
  const live = createLiveStage()

  void followState((show) => {
    latest = show
    if (show.accentColor) showAccent(show.accentColor)
    if (show.cover) byId('video', 'video').poster = show.cover
    const start = show.startsAt === null ? undefined : new Date(show.startsAt)
    countdown(start?.getTime())
    if (start)
      byId('p', 'facts').textContent = start.toLocaleString(undefined, { dateStyle: 'full', timeStyle: 'short' })
    live.show(show.live)
    const first = show.phase === 'after' ? show.recordings[0] : undefined
    if (first && watched === undefined) {
      watched = first.path
      watchRecording(first.path)
    } else if (watched === undefined) notify(noticeOf(show, Date.now()))
    listRecordings(show, watched)
  }, notify)
}

/** Links to the pages of the recordings, unless the page plays the only one. */
function listRecordings(show: WatchedShow, watched: string | undefined): void {
  const { isSeries, recordings } = show
  const note = recordingsNote(show)
  byId('nav', 'recordings-section').hidden = recordings.length < (watched === undefined ? 1 : 2) && !note
  byId('h2', 'recordings-title').hidden = !isSeries
  setText(byId('p', 'recordings-note'), note)
  const items = recordings.map((recording) => {
    const current = recording.path === watched ? { 'aria-current': 'true' } : {}
    return element('li', {}, element('a', { href: recording.path, ...current }, recordingLabel(recording, recordings)))
  })
  byId('ul', 'recordings').replaceChildren(...items)
}

/** Seconds below which tenths are shown. */
const LOW = 5

function createLiveStage() {
  const [stage, video] = [byId('div', 'live'), byId('video', 'live-video')]
  const [state, catchUp] = [byId('span', 'live-state'), byId('button', 'catch-up')]
  let playing: WatchedShow['live'] = null
  let player: LivePlayer | undefined
  let wanted = namedTime(location)
  const showMoment = connectMoment(() => player?.shownAt())
  catchUp.addEventListener('click', () => player?.catchUp())
  setInterval(() => {
    const behind = player?.behind()
    state.textContent = behind === undefined ? 'Starting …' : `${behind.toFixed(behind < LOW ? 1 : 0)} s behind`
    catchUp.hidden = behind === undefined || !playing || !isBehind(behind, playing)
    showMoment()
    if (wanted === undefined || player?.shownAt() === undefined) return
    if (playing?.dvr) player.seekTo(wanted)
    wanted = undefined
  }, 1_000)
  return {
    /** Plays a broadcast, or nothing. The one that plays already continues. */
    show(live: WatchedShow['live']) {
      if (live?.playlist === playing?.playlist) return
      player?.stop()
      player = undefined
      playing = live
      stage.hidden = live === null
      if (live) player = playLive(video, live)
    },
  }
}
