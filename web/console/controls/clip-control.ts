import { element, type View } from '../../dom.ts'
import type { KnownRecording, Show } from '../answers.ts'
import { act } from '../api.ts'
import { createClipList } from './clip-list.ts'
import { createButton, createControlGroup, createField } from './control-group.ts'
import { reasonAgainst } from './control-state.ts'

/** Characters of a clip's name. */
const MAX_NAME = '100'
/** Seconds that a clip of a live show has, unless the user enters others. */
const LAST = '60'

/**
 * Creates the clips of a recording: a form whose bounds are set at the time of the player, and a list.
 * @param video the player of the recording
 */
export function createRecordingClips(
  { archiveId, name = 'the recording' }: Pick<KnownRecording, 'archiveId' | 'name'>,
  video: HTMLVideoElement,
): View<KnownRecording> {
  const [title, from, to] = [createName(name ?? ''), createSeconds('Start'), createSeconds('End')]
  const set = (label: string, field: HTMLInputElement) =>
    createButton(`${label} here`, () => {
      field.value = video.currentTime.toFixed(1)
    })
  const bounds = element(
    'div',
    { class: 'row' },
    createField('Start', from),
    set('Start', from),
    createField('End', to),
    set('End', to),
  )
  const form = element('form', {}, element('div', { class: 'row' }, title, createSubmit()), bounds)
  const group = createControlGroup('Clip of the recording', form)
  const clips = createClipList(
    {
      list: async () => (await act((api) => api.clips.list(archiveId))).items,
      remove: (clipId) => act((api) => api.clips.delete(archiveId, clipId)),
    },
    group,
  )
  onSubmit(form, () =>
    group.run('Creating the clip …', async () => {
      const order = { name: title.value.trim(), from: Number(from.value), to: Number(to.value) }
      const clip = await act((api) => api.clips.create(archiveId, order))
      title.value = ''
      await clips.load()
      return `The clip ${clip.name} can be watched.`
    }),
  )
  const details = element('details', { class: 'more' }, element('summary', {}, 'Clips'), group.element)
  group.element.append(clips.element)
  details.addEventListener('toggle', () => {
    if (details.open) void clips.load().catch(() => {})
  })
  return {
    element: details,
    update({ files }) {
      details.hidden = !files.some(({ role }) => role === 'hls')
    },
  }
}

/** Creates the clips of a live show: a form for its last seconds, and a list. */
export function createShowClips({ showId, name }: Pick<Show, 'showId' | 'name'>): View<Show> {
  const [title, last] = [createName(name), createSeconds('Last seconds')]
  last.min = last.step = '1'
  last.value = LAST
  title.dataset.action = 'clip'
  const form = element('form', { class: 'row' }, title, createField('Last seconds', last), createSubmit())
  const group = createControlGroup('Clip of the last seconds', form)
  const clips = createClipList(
    {
      list: async () => (await act((api) => api.clips.listLive(showId))).items,
      remove: (clipId) => act((api) => api.clips.deleteLive(showId, clipId)),
    },
    group,
  )
  onSubmit(form, () =>
    group.run('Creating the clip …', async () => {
      const clip = await act((api) =>
        api.clips.createLive(showId, { name: title.value.trim(), last: Number(last.value) }),
      )
      title.value = ''
      await clips.load()
      return clip.status === 'queued'
        ? `The clip ${clip.name} is cut once the recording is published.`
        : `The clip ${clip.name} can be watched.`
    }),
  )
  group.element.append(clips.element)
  void clips.load().catch(() => {})
  return { element: group.element, update: (show) => group.refuse(reasonAgainst('change', show)) }
}

const createName = (of: string) =>
  element('input', {
    ...{ type: 'text', maxlength: MAX_NAME, placeholder: 'The demo', required: '' },
    'aria-label': `Title of a clip of ${of}`,
  })

const createSeconds = (label: string) =>
  element('input', { type: 'number', min: '0', step: '0.1', required: '', 'aria-label': `${label} in seconds` })

const createSubmit = () => element('button', { type: 'submit', class: 'plain small' }, 'Create clip')

function onSubmit(form: HTMLFormElement, create: () => Promise<void>): void {
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void create()
  })
}
