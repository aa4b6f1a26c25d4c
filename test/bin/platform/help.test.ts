import { describe, expect, it } from 'vitest'
import { assemble } from '../../../bin/platform/arguments.ts'
import { flagsOf } from '../../../bin/platform/flags.ts'
import { describeFlag, exampleOf } from '../../../bin/platform/help.ts'
import type { Operation } from '../../../lib/platform/contract/operation.ts'
import { operations } from '../../../lib/platform/contract/operations/operations.ts'

const everyOperation = Object.entries<Operation>(operations)

/** Parses options as the command does: a value unless another option follows, and lists collected. */
function read(words: readonly string[], listed: ReadonlySet<string>) {
  const given: Record<string, string | true | string[]> = {}
  for (let index = 0; index < words.length; index++) {
    const name = String(words[index]).slice(2)
    const next = words[index + 1]
    const value = next === undefined || next.startsWith('--') ? true : String(words[++index])
    given[name] = listed.has(name) ? [...((given[name] as string[]) ?? []), String(value)] : value
  }
  return given
}

describe('exampleOf', () => {
  it.each(everyOperation)('%s becomes arguments that are parsed to the contract’s example', (name, operation) => {
    const [command, called, ...words] = exampleOf(name, operation)
    expect([command, called, words.pop()]).toEqual(['platform', name, '--json'])
    const flags = flagsOf(operation)
    const listed = new Set(flags.filter(({ kind }) => kind === 'list').map((flag) => flag.name))
    expect(assemble(name, flags, read(words, listed))).toEqual(operation.example.request)
  })
})

describe('flagsOf', () => {
  it.each(everyOperation)('%s has one option for each argument', (_, operation) => {
    const names = flagsOf(operation).map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    for (const name of names) expect(name).toMatch(/^[a-z0-9-]+(\.[a-z0-9-]+)*$/)
  })

  it('finds fields at any depth and in every form of a body', () => {
    const namesOf = (operation: Operation) => flagsOf(operation).map(({ name }) => name)
    expect(namesOf(operations.dial)).toContain('sip.observe-force-mute')
    expect(namesOf(operations.createSession)).toContain('p2p.preference')
    expect(namesOf(operations.changeArchiveStreams)).toEqual([
      'archive-id',
      'add-stream',
      'has-audio',
      'has-video',
      'remove-stream',
    ])
    expect(namesOf(operations.getProject)).toEqual(['api-key'])
  })
})

describe('describeFlag', () => {
  const line = (operation: Operation, wanted: string) =>
    flagsOf(operation)
      .filter(({ name }) => name === wanted)
      .map(describeFlag)
      .join()

  it('lists limits, choices, defaults and forms', () => {
    expect(line(operations.startArchive, 'name')).toBe('at most 255 characters')
    expect(line(operations.listArchives, 'count')).toBe('Items per page; 1 to 1000; default 50')
    expect(line(operations.setUploadTarget, 'type')).toBe('one of s3, azure; required')
    expect(line(operations.setUploadTarget, 'config.container')).toBe('only with type azure')
    expect(line(operations.changeArchiveStreams, 'remove-stream')).toBe('Id of the stream to remove')
    expect(line(operations.changeArchiveStreams, 'has-audio')).toBe('only with add-stream; default true')
    expect(line(operations.dial, 'sip.auth.password')).toMatch(/^required with --sip\.auth; secret/)
    expect(line(operations.playDtmfToSession, 'digits')).toMatch(/^0-9, \* and #; p waits 0\.5 seconds; must match/)
  })
})
