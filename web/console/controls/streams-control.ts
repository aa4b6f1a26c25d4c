import { createList, element, setText, type View } from '../../dom.ts'
import { timeOfDay } from '../../format.ts'
import type { ListedStream, Show } from '../answers.ts'
import { act } from '../api.ts'
import { type ControlGroup, createButton, createControlGroup } from './control-group.ts'
import {
  describeControl,
  type Output,
  outputsOf,
  reasonAgainst,
  type StreamLine,
  streamCount,
  streamLines,
  targetOf,
} from './control-state.ts'

/** A running show and its streams, which are undefined until they are read. */
export interface RunningShow {
  readonly show: Show
  readonly streams: readonly ListedStream[] | undefined
}

/** Creates the list of the streams in a session, of a fixed height, with buttons that mute them and choose them for outputs. */
export function createStreamsControl({ showId, name }: Pick<Show, 'showId' | 'name'>): View<RunningShow> {
  const count = element('p', { class: 'quiet' })
  const list = element('ul', { class: 'streams' })
  const scroller = element(
    'div',
    { class: 'scroller', tabindex: '0', role: 'group', 'aria-label': `Streams of ${name}` },
    list,
  )
  const mute = (active: boolean) =>
    void group.run(active ? 'Muting all …' : 'Admitting new streams unmuted …', async () =>
      describeControl(
        await act(({ controls }) => controls.mute(showId, { active })),
        active ? 'All streams were muted' : 'Muting of new streams was stopped',
      ),
    )
  const all = element(
    'div',
    { class: 'buttons' },
    createButton('Mute all', () => mute(true)),
    createButton('Stop muting new ones', () => mute(false)),
  )
  const group = createControlGroup('People and streams', count, scroller, all)
  let manual: readonly Output[] = []
  const updateList = createList<StreamLine>(
    list,
    ({ streamId }) => streamId,
    (line) => createStream(line, { showId, group, manual: () => manual }),
  )
  return {
    element: group.element,
    update({ show, streams }) {
      manual = outputsOf(show).filter(({ isManual }) => isManual)
      setText(count, streams === undefined ? 'The session is not open.' : streamCount(streams.length))
      updateList(streamLines(streams ?? [], show.timeline))
      group.refuse(reasonAgainst('mute', show))
    },
  }
}

interface StreamContext {
  readonly showId: string
  readonly group: ControlGroup
  readonly manual: () => readonly Output[]
}

function createStream({ streamId, name }: StreamLine, { showId, group, manual }: StreamContext): View<StreamLine> {
  const title = element('span', { class: 'stream-name' }, name)
  const kind = element('span', { class: 'quiet' })
  const choose = (change: { addStream: string } | { removeStream: string }, done: string) =>
    void group.run(`Changing the outputs of ${name} …`, async () =>
      describeControl(
        await act(({ controls }) =>
          controls.change(showId, { streams: manual().map((output) => ({ ...targetOf(output), ...change })) }),
        ),
        done,
      ),
    )
  const bringIn = createButton(
    'Bring in',
    () => choose({ addStream: streamId }, `${name} was brought in`),
    `Bring in ${name}`,
  )
  const takeOut = createButton(
    'Take out',
    () => choose({ removeStream: streamId }, `${name} was taken out`),
    `Take out ${name}`,
  )
  const mute = createButton(
    'Mute',
    () =>
      void group.run(`Muting ${name} …`, async () =>
        describeControl(await act(({ controls }) => controls.mute(showId, { streamId })), `${name} was muted`),
      ),
    `Mute ${name}`,
  )
  const buttons = element('span', { class: 'buttons' }, bringIn, takeOut, mute)
  return {
    element: element('li', {}, title, kind, buttons),
    update(line) {
      setText(title, line.name)
      setText(kind, line.mutedAt ? `${line.kind} · muted at ${timeOfDay(line.mutedAt)}` : line.kind)
      bringIn.hidden = manual().length === 0
      takeOut.hidden = manual().length === 0
    },
  }
}
