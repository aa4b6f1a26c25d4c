import { describe, expect, it } from 'vitest'
import { findStream, streamTable } from '../../../bin/controls/find-stream.ts'

const stream = (streamId: string, name: string, more: object = {}) => ({
  ...{ streamId, name, videoType: 'camera', layoutClasses: [] },
  ...more,
})
const ada = stream('1', 'Ada')
const bob = stream('2', 'Bob', { layoutClasses: ['focus', 'wide'] })
const phone = stream('3', '', { videoType: 'custom', dialIn: 'stage', connectionId: 'c-3' })
const scene = stream('4', 'page', { videoType: 'custom', scene: 'slides' })
const all = [ada, bob, phone, scene]

describe('findStream', () => {
  it.each([
    ['an id', '2', '2'],
    ['a name', 'Ada', '1'],
    ['a name in small letters', 'ada', '1'],
    ['a dial-in', 'stage', '3'],
    ['a scene', 'slides', '4'],
  ])('finds a stream by %s', (_, given, id) => {
    expect(findStream('a-show', all, given)).toBe(id)
  })

  it('prefers an id to a name, and an exact name to one that differs in capital letters', () => {
    expect(findStream('a-show', [ada, stream('5', '1')], '1')).toBe('1')
    expect(findStream('a-show', [stream('5', 'ADA'), ada], 'Ada')).toBe('1')
  })

  it('lists the candidates of a name in one sentence', () => {
    expect(() => findStream('a-show', [ada, bob, stream('5', 'Ada')], 'Ada')).toThrow(
      '2 streams of show a-show are named Ada: Ada (1), Ada (5). Pass the id of one.',
    )
  })

  it('lists what is published if nothing has the name', () => {
    expect(() => findStream('a-show', [ada, phone, stream('6', '')], 'Eve')).toThrow(
      'No stream of show a-show has the id or the name Eve. Published are Ada (1), (dial-in stage) (3), without a name (6).',
    )
    expect(() => findStream('a-show', [], 'Eve')).toThrow('Nothing is published in its session.')
  })
})

describe('streamTable', () => {
  it('has a line for each stream', () => {
    expect(streamTable(all)).toEqual([
      'STREAM  NAME                 VIDEO   LAYOUT CLASSES  CONNECTION',
      '1       Ada                  camera',
      '2       Bob                  camera  focus wide',
      '3       (dial-in stage)      custom                  c-3',
      '4       page (scene slides)  custom',
    ])
    expect(streamTable([])).toEqual(['Nothing is published in the session.'])
  })
})
