import { element } from '../../dom.ts'
import { createButton } from '../controls/control-group.ts'
import { formLabel, formOf, initialOf, isFields, type Path, pathText, type Schema } from './schema.ts'

/** Changes the document. `undefined` removes a field or an item. @param isShape true if fields come or go */
type Change = (path: Path, value: unknown, isShape: boolean) => void

/** Draws the fields of a value. Fields that a schema allows and the value lacks can be added. */
export function drawField(schema: Schema, value: unknown, path: Path, change: Change): HTMLElement {
  const { anyOf, type } = schema
  if (anyOf) return drawForms(anyOf, value, path, change)
  if (type === 'object' && schema.properties) return drawObject(schema, isFields(value) ? value : {}, path, change)
  if (type === 'array') return drawArray(schema, Array.isArray(value) ? value : [], path, change)
  return drawInput(schema, value, path, change)
}

const nameOf = (path: Path) => pathText(path) || 'Show'
/** Returns the id of the line of a field, which the problems of the API fill. */
export const messageId = (path: string): string => `problem-${path}`

function drawObject(schema: Schema, value: Readonly<Record<string, unknown>>, path: Path, change: Change) {
  const { properties = {}, required = [] } = schema
  const names = Object.keys(properties).filter((name) => !name.startsWith('$'))
  const shown = names.filter((name) => name in value || required.includes(name))
  const absent = names.filter((name) => !shown.includes(name))
  const rows = shown.map((name) => {
    const own = [...path, name]
    const field = drawLabelled(properties[name] ?? {}, value[name], own, change)
    if (required.includes(name)) return field
    return element('div', { class: 'optional' }, field, remover(own, change))
  })
  return element(
    'fieldset',
    { class: 'schema-object' },
    element('legend', {}, nameOf(path)),
    ...rows,
    ...(absent.length > 0 ? [adder(absent, properties, path, change)] : []),
  )
}

const remover = (path: Path, change: Change) =>
  createButton('Remove', () => change(path, undefined, true), `Remove ${nameOf(path)}`)

/** Creates the choice of a field to add. */
function adder(names: readonly string[], properties: Readonly<Record<string, Schema>>, path: Path, change: Change) {
  const choice = element('select', { 'aria-label': `Field to add to ${nameOf(path)}` })
  choice.append(new Option('Add a field …', ''), ...names.map((name) => new Option(name, name)))
  choice.addEventListener('change', () => {
    const schema = properties[choice.value]
    if (schema) change([...path, choice.value], initialOf(schema), true)
  })
  return choice
}

function drawArray({ items = {}, maxItems }: Schema, value: readonly unknown[], path: Path, change: Change) {
  const rows = value.map((item, index) => {
    const own = [...path, index]
    return element('div', { class: 'optional' }, drawLabelled(items, item, own, change), remover(own, change))
  })
  const add = createButton(
    'Add',
    () => change([...path, value.length], initialOf(items), true),
    `Add to ${nameOf(path)}`,
  )
  add.disabled = maxItems !== undefined && value.length >= maxItems
  return element('fieldset', { class: 'schema-object' }, element('legend', {}, nameOf(path)), ...rows, add)
}

function drawForms(forms: readonly Schema[], value: unknown, path: Path, change: Change) {
  const current = formOf(forms, value)
  const choice = element('select', { 'aria-label': `Form of ${nameOf(path)}` })
  choice.append(...forms.map((form, index) => new Option(formLabel(form), String(index))))
  choice.value = String(current)
  choice.addEventListener('change', () => change(path, initialOf(forms[Number(choice.value)] ?? {}), true))
  const form = forms[current]
  return element(
    'div',
    { class: 'schema-forms' },
    choice,
    ...(form && form.type !== 'null' ? [drawLabelled(form, value, path, change)] : []),
  )
}

/** Draws a field with its name, unless it is a group that has a name, and with the place of its problem. */
function drawLabelled(schema: Schema, value: unknown, path: Path, change: Change): HTMLElement {
  const drawn = drawField(schema, value, path, change)
  const id = messageId(pathText(path))
  const problem = element('p', { class: 'problem', id })
  problem.hidden = true
  const isGroup = drawn.localName === 'fieldset' || drawn.classList.contains('schema-forms')
  const hint = schema.description && !isGroup ? [element('span', { class: 'hint quiet' }, schema.description)] : []
  if (isGroup) return element('div', {}, drawn, problem)
  drawn.setAttribute('aria-describedby', id)
  const label = element('span', { class: 'schema-name' }, String(path.at(-1) ?? ''))
  return element('div', {}, element('label', { class: 'schema-field' }, label, drawn, ...hint), problem)
}

function drawInput(schema: Schema, value: unknown, path: Path, change: Change): HTMLElement {
  const { type, minimum, maximum, maxLength } = schema
  const attributes = { 'data-path': pathText(path) }
  if (schema.enum) {
    const values = schema.enum
    const choice = element('select', attributes)
    choice.append(...values.map((one, index) => new Option(String(one), String(index))))
    choice.value = String(Math.max(0, values.indexOf(value)))
    choice.addEventListener('change', () => change(path, values[Number(choice.value)], false))
    return choice
  }
  if (type === 'boolean') {
    const box = element('input', { ...attributes, type: 'checkbox' })
    box.checked = value === true
    box.addEventListener('change', () => change(path, box.checked, false))
    return box
  }
  const isNumber = type === 'integer' || type === 'number'
  const isText = type === 'string'
  const input = element('input', {
    ...attributes,
    type: isNumber ? 'number' : 'text',
    ...(minimum !== undefined && { min: String(minimum) }),
    ...(maximum !== undefined && { max: String(maximum) }),
    ...(maxLength !== undefined && { maxlength: String(maxLength) }),
  })
  input.value = isNumber || isText ? String(value ?? '') : JSON.stringify(value ?? {})
  input.addEventListener('input', () => {
    const next = isText ? input.value : parsed(input.value)
    if (next !== undefined) change(path, next, false)
  })
  return input
}

/** Parses a number or JSON; undefined while it is incomplete. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
