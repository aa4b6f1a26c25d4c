import { byId, element, setText } from '../../dom.ts'
import type { ShowDocument } from '../answers.ts'
import { act, checkShow, listShows, readExample, readSchema, readShow } from '../api.ts'
import { createControlGroup } from '../controls/control-group.ts'
import { drawForecast } from './forecast-view.ts'
import { type Path, type Schema, withoutDefaults, withValue } from './schema.ts'
import { drawField, messageId } from './schema-form.ts'

/** Milliseconds without a change after which the document is checked. */
const PAUSE_MS = 400

/** Connects the fold in which a show is composed. It reads the schema when it is first opened. */
export function connectCompose(): void {
  const fold = byId('details', 'compose')
  let isFilled = false
  const fill = async () => {
    if (!fold.open || isFilled) return
    isFilled = true
    try {
      const [schema, example] = await Promise.all([readSchema<Schema>(), readExample()])
      byId('div', 'compose-content').replaceChildren(...createComposer(schema, example))
    } catch (error) {
      isFilled = false
      byId('div', 'compose-content').replaceChildren(element('p', { role: 'alert' }, (error as Error).message))
    }
  }
  fold.addEventListener('toggle', () => void fill())
  if (location.hash === '#compose') fold.open = true
}

function createComposer(schema: Schema, first: ShowDocument): HTMLElement[] {
  let draft: unknown = first
  const fields = element('div', { class: 'compose-fields' })
  const json = element('textarea', { 'aria-label': 'The show document as JSON', spellcheck: 'false', rows: '18' })
  const problems = element('ul', { class: 'problem', 'aria-label': 'Problems' })
  const forecast = element('div', { class: 'forecast' })
  const post = element('button', { type: 'button' }, 'Start the show')
  const group = createControlGroup('Post the show', post)
  const verdict = element('p', { role: 'status', class: 'quiet' })

  const change = (path: Path, value: unknown, isShape: boolean) => {
    draft = withValue(draft, path, value)
    if (isShape) drawFields()
    changed()
  }
  const drawFields = () => fields.replaceChildren(drawField(schema, draft, [], change))
  const check = createCheck((outcome) => {
    const found = outcome.problems ?? []
    for (const one of fields.querySelectorAll<HTMLElement>('p.problem')) setText(one, undefined)
    const unplaced = found.filter(({ path, message }) => {
      const place = document.getElementById(messageId(path))
      if (place) setText(place, `${path} ${message}`)
      return !place
    })
    problems.replaceChildren(...unplaced.map(({ path, message }) => element('li', {}, `${path} ${message}`)))
    for (const input of fields.querySelectorAll<HTMLElement>('[data-path]'))
      input.setAttribute('aria-invalid', String(found.some(({ path }) => path === input.dataset.path)))
    setText(verdict, outcome.forecast ? 'The show is valid.' : outcome.detail)
    forecast.replaceChildren(...(outcome.forecast ? drawForecast(outcome.forecast) : []))
    group.refuse(outcome.forecast ? undefined : 'Correct the document first.')
  })
  function changed(isByJson = false): void {
    if (!isByJson) json.value = JSON.stringify(draft, null, 2)
    setText(post, (draft as ShowDocument).start ? 'Schedule the show' : 'Start the show')
    check(draft as ShowDocument)
  }
  function replace(next: unknown): void {
    draft = next
    drawFields()
    changed()
  }
  json.addEventListener('input', () => {
    try {
      draft = JSON.parse(json.value)
    } catch (error) {
      setText(verdict, `This is not JSON: ${(error as Error).message}.`)
      return group.refuse('Correct the document first.')
    }
    drawFields()
    changed(true)
  })
  post.addEventListener('click', () => {
    const show = draft as ShowDocument
    void group.run('Posting the show …', async () => {
      const { status } = await act(({ shows }) => shows.start(show))
      return status === 'scheduled' ? 'The show is scheduled.' : 'The show is starting.'
    })
  })
  replace(draft)
  return [
    createCopy((show) => {
      const { start: _, ...copied } = withoutDefaults(schema, show) as ShowDocument
      replace(copied)
    }),
    element(
      'div',
      { class: 'compose-columns' },
      fields,
      element('div', { class: 'compose-side' }, json, verdict, problems),
    ),
    element('h2', {}, 'What will happen'),
    forecast,
    group.element,
  ]
}

/** Creates the choice of an earlier show whose document is copied, without its start. */
function createCopy(use: (show: ShowDocument) => void): HTMLElement {
  const choice = element('select')
  choice.append(new Option('No show', ''))
  const line = element('span', { class: 'quiet', role: 'status' })
  const fill = async () => {
    const { items } = await listShows(undefined, {})
    const known = new Set([...choice.options].map(({ value }) => value))
    const added = items.filter(({ showId }) => !known.has(showId))
    choice.append(
      ...added.map(({ showId, name, acceptedAt }) => new Option(`${name}, ${acceptedAt.slice(0, 10)}`, showId)),
    )
  }
  const tryToFill = () => void fill().catch((error: Error) => setText(line, error.message))
  choice.addEventListener('focus', tryToFill)
  tryToFill()
  choice.addEventListener('change', async () => {
    if (!choice.value) return
    try {
      const { document: show } = await readShow(choice.value)
      if (show) use(show)
    } catch (error) {
      setText(line, (error as Error).message)
    }
  })
  return element(
    'p',
    {},
    element('label', { class: 'schema-field' }, element('span', {}, 'Copy an earlier show'), choice),
    line,
  )
}

type Outcome = Awaited<ReturnType<typeof checkShow>>

/** Returns the function that checks a document a moment after its last change. Only the latest check has an effect. */
function createCheck(show: (outcome: Outcome) => void): (document: ShowDocument) => void {
  let latest = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  return (document) => {
    latest += 1
    const mine = latest
    clearTimeout(timer)
    timer = setTimeout(async () => {
      const outcome = await checkShow(document)
      if (mine === latest) show(outcome)
    }, PAUSE_MS)
  }
}
