import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { show } from '../../../../lib/show/document/show.ts'
import {
  formLabel,
  formOf,
  initialOf,
  pathText,
  type Schema,
  withoutDefaults,
  withValue,
} from '../../../../web/console/compose/schema.ts'

const read = (path: string) => JSON.parse(readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8'))
const schema: Schema = read('docs/show.schema.json')

describe('withValue', () => {
  it('replaces, adds and removes fields and items, and leaves the document as it was', () => {
    const document = { name: 'A', recordings: [{ name: 'a' }, { name: 'b' }] }
    expect(withValue(document, ['recordings', 1, 'name'], 'c')).toEqual({
      ...document,
      recordings: [{ name: 'a' }, { name: 'c' }],
    })
    expect(withValue(document, ['recordings', 0], undefined)).toEqual({ name: 'A', recordings: [{ name: 'b' }] })
    expect(withValue(document, ['recordings', 2], { name: 'c' })).toMatchObject({ recordings: { length: 3 } })
    expect(withValue(document, ['page', 'title'], 'T')).toMatchObject({ page: { title: 'T' } })
    expect(withValue(document, ['recordings'], undefined)).toEqual({ name: 'A' })
    expect(document.recordings).toHaveLength(2)
  })
})

describe('pathText', () => {
  it('formats a path as the problems of the API do', () => {
    expect(pathText(['recordings', 1, 'layout', 'type'])).toBe('recordings[1].layout.type')
    expect(pathText([])).toBe('')
  })
})

describe('initialOf', () => {
  it('begins every field of a show with a value of its type', () => {
    const { properties = {} } = schema
    expect(initialOf(properties.recordings ?? {})).toEqual([{ name: '' }])
    expect(initialOf(properties.audienceWait ?? {})).toBe(900)
    expect(initialOf(properties.callback ?? {})).toEqual({ url: '' })
    for (const [name, field] of Object.entries(properties)) expect(initialOf(field), name).not.toBeUndefined()
  })
})

describe('formOf', () => {
  it('finds the form of a value, which its required fields name', () => {
    const forms = schema.properties?.start?.anyOf ?? []
    expect(forms.map(formLabel)).toEqual(['with at', 'with cron'])
    expect(formOf(forms, { cron: '0 9 ? * 3 *', zone: 'UTC' })).toBe(1)
    const durations = schema.properties?.duration?.anyOf ?? []
    expect([3_600, null].map((value) => formLabel(durations[formOf(durations, value)] ?? {}))).toEqual([
      'integer',
      'none',
    ])
  })
})

describe('withoutDefaults', () => {
  it('shortens the document of an earlier show to one that means the same', () => {
    for (const name of ['webinar', 'everything']) {
      const whole = show.parse(read(`examples/${name}.json`))
      const short = withoutDefaults(schema, JSON.parse(JSON.stringify(whole)))
      expect(show.parse(short), name).toEqual(whole)
      expect(JSON.stringify(short).length, name).toBeLessThan(JSON.stringify(whole).length)
    }
  })
})
