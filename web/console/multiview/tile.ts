import { element, setText, type View } from '../../dom.ts'
import { bitrateLabel, frameRateLabel, timeOfDay } from '../../format.ts'
import { createLevelMeter, type LevelMeter } from '../../join/lobby/level.ts'
import type { RemoteStream } from '../../session/state.ts'
import type { ListedStream } from '../answers.ts'
import { act } from '../api.ts'
import { confirmAction } from '../controls/confirm.ts'
import { type ControlGroup, createButton } from '../controls/control-group.ts'
import { describeControl, type Output, type StreamLine, targetOf } from '../controls/control-state.ts'
import { readClasses, type Tally } from './tally.ts'

/** A stream with what is known of it. */
export interface TileState extends StreamLine, Pick<ListedStream, 'layoutClasses' | 'connectionId'> {
  readonly tally: Tally
  /** Outputs for which streams are chosen. */
  readonly manual: readonly Output[]
  /** What the page receives of it. */
  readonly received: RemoteStream | undefined
}

export interface TileView extends View<TileState> {
  /** Reads its level. */
  measure(): void
  /** Stops to measure. */
  remove(): void
}

const TALLIES = { program: 'In the program', next: 'Next' } as const

/** Creates the tile of a stream. */
export function createTile(first: TileState, { showId, group }: { showId: string; group: ControlGroup }): TileView {
  const { streamId, name } = first
  let latest = first
  const picture = createPicture(name)
  const tally = element('span', { class: 'tally' })
  const title = element('span', { class: 'stream-name' })
  const kind = element('span', { class: 'quiet' })
  const facts = element('span', { class: 'quiet' })
  const change = (pending: string, done: string, ask: Parameters<typeof act>[0]) =>
    void group.run(pending, async () =>
      describeControl((await act(ask)) as Parameters<typeof describeControl>[0], done),
    )
  const choose = (choice: { addStream: string } | { removeStream: string }, done: string) =>
    change(`Changing the outputs of ${name} …`, done, ({ controls }) =>
      controls.change(showId, { streams: latest.manual.map((output) => ({ ...targetOf(output), ...choice })) }),
    )
  const bringIn = createButton(
    'On stage',
    () => choose({ addStream: streamId }, `${name} is on stage`),
    `Bring ${name} on stage`,
  )
  const takeOut = createButton(
    'Off stage',
    () => choose({ removeStream: streamId }, `${name} is off stage`),
    `Take ${name} off stage`,
  )
  const mute = createButton(
    'Mute',
    () => change(`Muting ${name} …`, `${name} was muted`, ({ controls }) => controls.mute(showId, { streamId })),
    `Mute ${name}`,
  )
  const disconnect = createButton('Disconnect', () => void ask(), `Disconnect ${name}`)
  const classes = element('input', {
    type: 'text',
    'aria-label': `Layout classes of ${name}`,
    placeholder: 'Layout classes',
  })
  classes.addEventListener('change', () => {
    const layoutClasses = readClasses(classes.value)
    change(`Setting the layout classes of ${name} …`, `${name} has ${describe(layoutClasses)}`, ({ controls }) =>
      controls.setLayoutClasses(showId, { streams: [{ streamId, layoutClasses }] }),
    )
  })
  async function ask(): Promise<void> {
    const connectionId = connectionOf(latest)
    const isSure = await confirmAction({
      title: `Disconnect ${name}?`,
      text: 'Its streams end. With a valid token the participant can connect again.',
      action: 'Disconnect',
    })
    if (isSure && connectionId !== undefined)
      change(`Disconnecting ${name} …`, `${name} was disconnected`, ({ controls }) =>
        controls.disconnect(showId, { connectionId }),
      )
  }
  const root = element(
    'li',
    { class: 'tile' },
    picture.element,
    element('div', { class: 'tile-head' }, title, tally),
    kind,
    facts,
    classes,
    element('span', { class: 'buttons' }, bringIn, takeOut, mute, disconnect),
  )
  return {
    element: root,
    update(state) {
      latest = state
      root.dataset.tally = state.tally ?? ''
      setText(tally, state.tally && TALLIES[state.tally])
      setText(title, state.name)
      setText(kind, state.mutedAt ? `${state.kind} · muted at ${timeOfDay(state.mutedAt)}` : state.kind)
      setText(facts, factsOf(state.received))
      const text = state.layoutClasses.join(' ')
      if (classes.value !== text && document.activeElement !== classes) classes.value = text
      mute.disabled = state.received?.hasAudio === false
      for (const button of [bringIn, takeOut]) button.hidden = state.manual.length === 0
      disconnect.hidden = connectionOf(state) === undefined
      picture.show(state.received)
    },
    measure: picture.measure,
    remove: () => picture.show(undefined),
  }
}

const describe = (classes: readonly string[]) =>
  classes.length === 0 ? 'no layout class' : `the layout classes ${classes.join(', ')}`

/** The platform reports connections of dial-ins only. Those of others are known while the page receives their streams. */
const connectionOf = ({ connectionId, received }: Pick<TileState, 'connectionId' | 'received'>) =>
  connectionId ?? received?.connectionId

/** Describes what arrives of a stream. A muted one, and one without a microphone, carry no audio. */
function factsOf(received: RemoteStream | undefined): string | undefined {
  if (!received) return undefined
  const { quality, hasAudio, problem } = received
  if (problem) return problem
  const { frameRate, bitrate } = quality ?? {}
  return [
    frameRate === undefined ? undefined : frameRateLabel(frameRate),
    bitrate === undefined ? 'measuring …' : bitrateLabel(bitrate),
    hasAudio ? undefined : 'muted',
  ]
    .filter(Boolean)
    .join(' · ')
}

/** Creates the picture and the level meter of a tile. Both are hidden while nothing is received. */
function createPicture(name: string) {
  const video = element('video', { autoplay: '', playsinline: '', 'aria-hidden': 'true' })
  video.muted = true
  const level = element('meter', { min: '0', max: '1', 'aria-label': `Level of ${name}` })
  const root = element('div', { class: 'tile-picture' }, video, level)
  let meter: { readonly of: MediaStreamTrack; readonly level: LevelMeter | undefined } | undefined
  return {
    element: root,
    show(received: RemoteStream | undefined) {
      root.hidden = !received
      const media = received?.media ?? null
      if (video.srcObject !== media) video.srcObject = media
      const track = media?.getAudioTracks()[0]
      if (track === meter?.of) return
      meter?.level?.close()
      meter = track && { of: track, level: createLevelMeter(track) }
    },
    measure() {
      level.value = meter?.level?.level() ?? 0
    },
  }
}
