import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { fieldRows, fieldTable } from '../../../bin/docs/fields.ts'
import { jsonSchemaOf } from '../../../lib/platform/contract/operations/openapi.ts'

const rows = (schema: z.ZodType) => fieldRows(jsonSchemaOf(schema))

describe('fieldRows', () => {
  it('names type, default and limits of a field', () => {
    const schema = z.object({
      name: z.string().min(1).max(9).describe('Shown to <people>.'),
      count: z.int().min(1).default(3),
      mode: z.enum(['a', 'b']).optional(),
      at: z.iso.datetime().nullable(),
      url: z.url(),
    })
    expect(rows(schema)).toEqual([
      ['`name`', 'string', 'required', 'Shown to \\<people>. (1 to 9 characters)'],
      ['`count`', 'integer', '`3`', 'at least 1'],
      ['`mode`', '`a`, `b`', '', ''],
      ['`at`', 'time or null', 'required', ''],
      ['`url`', 'URL', 'required', ''],
    ])
  })

  it('includes the fields of objects and lists', () => {
    const schema = z.object({ outer: z.object({ list: z.array(z.object({ inner: z.boolean() })).max(5) }) })
    expect(rows(schema).map(([path, type, , notes]) => [path, type, notes])).toEqual([
      ['`outer`', 'object', ''],
      ['`outer.list`', 'list of object', 'at most 5 items'],
      ['`outer.list[].inner`', 'boolean', ''],
    ])
  })

  it('names the form that has a field by its discriminator', () => {
    const schema = z.union([
      z.object({ type: z.literal('s3'), bucket: z.string(), fallback: z.string() }),
      z.object({ type: z.literal('azure'), container: z.string(), fallback: z.string() }),
    ])
    expect(rows(schema)).toEqual([
      ['`type`', '`s3`, `azure`', 'required', ''],
      ['`bucket`', 'string', 'required', 'with type `s3`'],
      ['`fallback`', 'string', 'required', ''],
      ['`container`', 'string', 'required', 'with type `azure`'],
    ])
  })

  it('marks fields that are only in some forms without a discriminator', () => {
    const schema = z.union([z.object({ id: z.string(), a: z.string() }), z.object({ id: z.string(), b: z.string() })])
    expect(rows(schema).map(([path, , needed, notes]) => [path, needed, notes])).toEqual([
      ['`id`', 'required', ''],
      ['`a`', '', 'only in some forms'],
      ['`b`', '', 'only in some forms'],
    ])
  })
})

describe('fieldTable', () => {
  it('omits empty columns', () => {
    expect(fieldTable(jsonSchemaOf(z.object({ a: z.string().optional() })))).toBe(
      '| Field | Type |\n| --- | --- |\n| `a` | string |',
    )
  })

  it('names the type of a schema without fields', () => {
    expect(fieldTable(jsonSchemaOf(z.object({})))).toBe('object.')
  })
})
