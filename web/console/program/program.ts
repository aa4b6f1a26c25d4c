import { element, setText } from '../../dom.ts'
import { bitrateLabel, frameRateLabel, NBSP } from '../../format.ts'
import type { KnownRecording, Show } from '../answers.ts'
import { sandboxUrl } from '../api.ts'
import { createButton } from '../controls/control-group.ts'
import { isPictureAwaited, recordingToPlay } from '../model.ts'
import type { PlayedPart } from '../outputs/playlist-bitrate.ts'
import { createRecordingPlayer } from '../recording-player.ts'
import { createProgramPlayer, type ProgramMeasures } from './program-player.ts'
import { type ProgramOutput, programOutputs, tagOfSource } from './program-sources.ts'

/** Milliseconds between two readings of the latency. */
const LATENCY_MS = 1_000

/** Creates the picture of a show: that of one of its outputs, later its recording. */
export function createProgram(name: string) {
  const root = element('div', { class: 'picture' })
  const live = createProgramPlayer()
  const recorded = createRecordingPlayer(`Recording of ${name}`)
  const frame = element('div', { class: 'stage' }, recorded.element)
  const select = element('select', { 'aria-label': `Output of ${name} that is shown` })
  const latency = element('span', { class: 'quiet latency' })
  const sound = createButton('Sound on', () => {
    live.video.muted = !live.video.muted
    if (!live.video.muted) live.video.volume = 1
  })
  sound.dataset.action = 'sound'
  live.video.addEventListener('volumechange', () => {
    sound.textContent = live.video.muted ? 'Sound on' : 'Sound off'
  })
  const bar = element('div', { class: 'program-bar' }, select, latency, sound)
  const program = element('div', {}, live.element, bar)
  const note = element('p', { class: 'note' }, 'The picture appears once the broadcast is on the air.')
  const placeholder = element(
    'div',
    {},
    element('div', { class: 'stage' }, note),
    element('div', { class: 'program-bar' }),
  )
  let outputs: readonly ProgramOutput[] = []
  let url: string | undefined
  let timer: ReturnType<typeof setInterval> | undefined
  void sandboxUrl().then((found) => {
    url = found
  })

  const put = (shown: HTMLElement) => {
    if (shown.parentElement !== root) root.replaceChildren(shown)
  }
  /** The choice of the user. @default the first output */
  let wanted: string | undefined
  const chosen = () => outputs.find(({ key }) => key === wanted) ?? outputs[0]
  const play = () => {
    const output = chosen()
    if (output) live.play(output.source)
  }
  select.addEventListener('change', () => {
    wanted = select.value
    play()
  })
  let measured: ProgramMeasures = {}
  async function measure(): Promise<void> {
    measured = document.hidden ? {} : await live.measure()
    setText(latency, describeMeasures(measured))
  }
  function stop(): void {
    clearInterval(timer)
    timer = undefined
    measured = {}
    live.stop()
  }

  return {
    element: root,
    /** Returns the tag of the part that is played, and the frame rate of its picture. Returns undefined while that is unknown. */
    played(show: Show): PlayedPart | undefined {
      const source = chosen()?.source
      const tag = source && tagOfSource(source, show)
      const { framesPerSecond } = measured
      return tag === undefined || framesPerSecond === undefined ? undefined : { tag, framesPerSecond }
    },
    /** @param isOpen a folded show plays nothing */
    update(show: Show, recordings: readonly KnownRecording[], isOpen: boolean) {
      const next = programOutputs(show, url)
      const recording = recordingToPlay(show, recordings)
      const isListed = next.map(({ key }) => key).join() === outputs.map(({ key }) => key).join()
      outputs = next
      if (!isListed) {
        select.replaceChildren(...next.map((one) => new Option(one.label, one.key)))
        select.value = chosen()?.key ?? ''
      }
      const isAwaited = outputs.length === 0 && isPictureAwaited(show)
      root.hidden = outputs.length === 0 && !isAwaited && !recording
      if (isAwaited) put(placeholder)
      if (recording) {
        recorded.update(recording)
        put(frame)
      }
      if (!isOpen) recorded.stop()
      if (outputs.length === 0 || !isOpen) return stop()
      put(program)
      play()
      timer ??= setInterval(() => void measure(), LATENCY_MS)
    },
  }
}

/** Describes how far the picture is behind, its frame rate and its bitrate, as far as they are known. */
function describeMeasures({ latency, framesPerSecond, kilobits }: ProgramMeasures): string {
  return [
    latency === undefined ? undefined : `${Math.max(0, latency).toFixed(1)}${NBSP}s behind`,
    framesPerSecond && frameRateLabel(framesPerSecond),
    kilobits && bitrateLabel(kilobits),
  ]
    .filter(Boolean)
    .join(' · ')
}
