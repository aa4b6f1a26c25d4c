import { describe, expect, it } from 'vitest'
import type { Operation } from '../../../lib/platform/contract/operation.ts'
import { type OperationName, operations } from '../../../lib/platform/contract/operations/operations.ts'
import { openTarget } from './open-target.ts'

type Body = Readonly<Record<string, unknown>>
const table = (Object.entries(operations) as [OperationName, Operation][])
  .filter(([, { body, encoding, base }]) => body && encoding !== 'form' && base !== 'insights')
  .map(([name, operation]) => [name, operation.body as NonNullable<Operation['body']>] as const)

/** Bodies without any field, and the operations that take them. */
const withoutFields: Readonly<Record<string, readonly OperationName[]>> = {
  '': ['createProject', 'muteSession'],
  '{}': ['createProject'],
  ' ': [],
  null: [],
  '[]': [],
  true: [],
  '"active"': [],
}

/** Fields that may be absent but not null: their default does harm. */
const nullIsNot: readonly string[] = ['setUploadTarget.fallback']

/** Returns a name with a typing error. */
const misspelled = (name: string) => name[0]?.toUpperCase() + name.slice(1)

const without = (body: Body, name: string): Body =>
  Object.fromEntries(Object.entries(body).filter(([field]) => field !== name))

describe('the body of an operation', () => {
  it.each(table)(
    '%s: without fields is refused, unless the documented interface gives that a meaning',
    async (name) => {
      const { send } = await openTarget(name)
      for (const [text, takers] of Object.entries(withoutFields)) {
        const refused = (await send(text)).status >= 400
        expect([text, refused]).toEqual([text, !takers.includes(name)])
      }
    },
  )

  it.each(table)('%s: with a required field missing, null or misspelled is refused', async (name, schema) => {
    const { example, send } = await openTarget(name)
    const required = Object.keys(example).filter((field) => !schema.safeParse(without(example, field)).success)
    for (const field of required)
      for (const change of [{}, { [field]: null }, { [misspelled(field)]: example[field] }]) {
        const { status } = await send(JSON.stringify({ ...without(example, field), ...change }))
        expect([field, change, status]).toEqual([field, change, expect.toSatisfy((code) => code >= 400 && code < 500)])
      }
  })

  it.each(table)('%s: null is as absent, but where the default does harm', async (name, schema) => {
    const { example } = await openTarget(name)
    const optional = Object.keys(example).filter((field) => schema.safeParse(without(example, field)).success)
    for (const field of optional) {
      const [one, other] = [await openTarget(name), await openTarget(name)]
      const absent = await one.send(JSON.stringify(without(one.example, field)))
      const nulled = await other.send(JSON.stringify({ ...other.example, [field]: null }))
      const same = !nullIsNot.includes(`${name}.${field}`)
      expect([field, nulled.status === absent.status]).toEqual([field, same])
    }
  })
})
