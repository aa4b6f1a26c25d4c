import { describe, expect, it } from 'vitest'
import { refusalOf, statusMeanings } from '../../../../lib/platform/contract/errors.ts'
import { limits } from '../../../../lib/platform/contract/limits.ts'
import type { Operation } from '../../../../lib/platform/contract/operation.ts'
import { type OperationName, operations } from '../../../../lib/platform/contract/operations/operations.ts'

/** Returns the refusal of an operation's example with changed fields. */
function refusalFor(name: OperationName, changes: object) {
  const operation: Operation = operations[name]
  const parsed = operation.body?.safeParse({ ...operation.example.request, ...changes })
  return parsed?.error && refusalOf(operation, parsed.error)
}

describe('refusalOf', () => {
  it.each(['signalSession', 'signalConnection'] as const)(
    'answers 413 to a field of %s with too many bytes',
    (name) => {
      const { signalType, signalData } = limits
      const inBytes = (bytes: number) => 'é'.repeat(bytes / 2)
      expect(refusalFor(name, { type: inBytes(signalType.value), data: inBytes(signalData.value) })).toBeUndefined()
      const tooLong = { status: 413, code: 413 }
      expect(refusalFor(name, { type: `${inBytes(signalType.value)}x` })).toEqual(tooLong)
      expect(refusalFor(name, { data: `${inBytes(signalData.value)}x` })).toEqual(tooLong)
      expect(refusalFor(name, { data: 5 })).toEqual({ status: 400, code: 400 })
    },
  )

  it.each([
    [{ maxDuration: 59 }, 50005],
    [{ maxDuration: 36_001 }, 50005],
    [{ maxDuration: '60' }, 50005],
    [{ url: 'http://short.io' }, undefined],
    [{ url: 'http://shor.io' }, 50003],
    [{ url: `http://scenes.example.com/${'x'.repeat(2048)}` }, 50003],
    [{ url: 'file:///etc/passwd' }, 50003],
    [{ resolution: '10x10' }, 50004],
    [{ token: undefined }, 50002],
    [{ properties: { name: '' } }, 50007],
    [{ properties: { name: 'x'.repeat(201) } }, 50007],
    [{ properties: 'wide' }, 50006],
  ])('answers the composer’s code to %o', (changes, code) => {
    expect(refusalFor('startComposer', changes)?.code).toBe(code)
    if (code)
      expect(refusalFor('startComposer', changes)).toMatchObject({
        status: 400,
        message: expect.stringMatching(/^Invalid/),
      })
  })

  it('answers 400 to every other broken rule', () => {
    expect(refusalFor('startArchive', { hasAudio: false, hasVideo: false })).toEqual({ status: 400, code: 400 })
    expect(refusalFor('startBroadcast', { maxDuration: 59 })).toEqual({ status: 400, code: 400 })
  })
})

describe('statusMeanings', () => {
  it('covers every status that an operation answers', () => {
    const answered = Object.values<Operation>(operations).flatMap(({ errors }) => Object.keys(errors))
    expect(Object.keys(statusMeanings)).toEqual([...new Set(answered)].sort())
  })
})
