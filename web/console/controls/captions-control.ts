import { createList, element, type View } from '../../dom.ts'
import type { KnownRecording } from '../answers.ts'
import { act } from '../api.ts'
import { confirmAction } from './confirm.ts'
import { createButton, createControlGroup, createField } from './control-group.ts'
import { deletedHere } from './recording-control.ts'
import { captionLanguages } from './recording-state.ts'

/** Language, optional script and region (BCP 47). The API has the same pattern. */
const TAG = '[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?'

/** Creates the captions of a recording: a form that uploads a WebVTT file, and the list of languages. */
export function createRecordingCaptions({ archiveId }: Pick<KnownRecording, 'archiveId'>): View<KnownRecording> {
  let title = 'the recording'
  let languages: readonly string[] = []
  /** Languages in the last answer for the recording. That answer may be older than a change that was made here. */
  let read = ''
  const file = element('input', { type: 'file', accept: '.vtt,text/vtt', required: '' })
  const tag = element('input', {
    ...{ type: 'text', value: 'en', required: '', pattern: TAG, maxlength: '11', size: '8' },
    ...{ title: 'A language tag such as en, pt-BR or zh-Hant', autocapitalize: 'off', spellcheck: 'false' },
  })
  const form = element(
    'form',
    { class: 'row' },
    createField('WebVTT file', file),
    createField('Language', tag),
    element('button', { type: 'submit', class: 'plain small' }, 'Add captions'),
  )
  const items = element('ul', { class: 'clips' })
  const group = createControlGroup('Captions of the recording', form, items)
  const list = createList<string>(
    items,
    (language) => language,
    (language) => ({
      element: element(
        'li',
        {},
        element('span', {}, language),
        createButton('Remove', () => void remove(language), `Remove the captions in ${language}, archive ${archiveId}`),
      ),
      update: () => {},
    }),
  )
  const show = (next: readonly string[]) => {
    languages = next
    list(next)
  }

  async function remove(language: string): Promise<void> {
    const isConfirmed = await confirmAction({
      title: `Remove the captions in ${language}: ${title}?`,
      text: 'Viewers no longer have them. This cannot be undone here.',
      action: 'Remove the captions',
    })
    if (!isConfirmed) return
    await group.run('Removing the captions …', async () => {
      show((await act(({ recordings }) => recordings.deleteCaptions(archiveId, language))).captions)
      return `The captions in ${language} were removed.`
    })
  }

  async function add(): Promise<void> {
    const [chosen, language] = [file.files?.[0], tag.value.trim()]
    if (!chosen) return
    const earlier = languages.find((one) => one.toLowerCase() === language.toLowerCase())
    const isConfirmed =
      earlier === undefined ||
      (await confirmAction({
        title: `Replace the captions in ${earlier}: ${title}?`,
        text: `Viewers have those of ${chosen.name} instead. This cannot be undone here.`,
        action: 'Replace the captions',
      }))
    if (!isConfirmed) return
    await group.run('Uploading the captions …', async () => {
      const text = await chosen.text()
      show((await act(({ recordings }) => recordings.putCaptions(archiveId, language, text))).captions)
      file.value = ''
      return `The captions of ${chosen.name} are on the watch page.`
    })
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void add()
  })
  const details = element('details', { class: 'more' }, element('summary', {}, 'Captions'), group.element)
  return {
    element: details,
    update({ name, files, duration }) {
      title = name ?? title
      details.hidden = duration === null || deletedHere.has(archiveId)
      const listed = captionLanguages(files)
      if (listed.join() === read) return
      read = listed.join()
      show(listed)
    },
  }
}
