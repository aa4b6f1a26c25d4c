import { describe, expect, it } from 'vitest'
import { writeWebVtt } from '../../../lib/media/captions/web-vtt.ts'
import { cueAt, plainText, readCues } from '../../../web/watch/cues.ts'

const cues = [
  { start: 0, end: 1.5, settings: '', text: 'one' },
  { id: 'second', start: 1.5, end: 3_723.25, settings: 'line:0 align:start', text: 'two\nlines' },
]

describe('readCues', () => {
  it('reads what Showrunner writes', () => {
    expect(readCues(writeWebVtt(cues, ['X-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000']))).toEqual(
      cues.map(({ start, end, text }) => ({ start, end, text })),
    )
  })

  it('reads times without hours, and line breaks of Windows', () => {
    expect(readCues('WEBVTT\r\n\r\n01:02.500 --> 01:03.000\r\nHello\r\n')).toEqual([
      { start: 62.5, end: 63, text: 'Hello' },
    ])
  })

  it('returns none for a file without cues', () => {
    expect(readCues('')).toEqual([])
    expect(readCues('WEBVTT\n\nNOTE nothing\n')).toEqual([])
  })
})

describe('cueAt', () => {
  it('returns the cue at a time, up to its end', () => {
    const found = readCues(writeWebVtt(cues))
    expect([0, 1.49, 1.5, 3_723.25].map((time) => cueAt(found, time)?.text)).toEqual([
      'one',
      'one',
      'two\nlines',
      undefined,
    ])
  })
})

describe('plainText', () => {
  it.each([
    ['Good evening,\nand welcome.', 'Good evening, and welcome.'],
    ['<v Anna>Hello <i>there</i></v>', 'Anna: Hello there'],
    ['<v.loud Anna Lee>Hi', 'Anna Lee: Hi'],
    ['<00:01.000><c.yellow>one</c> &amp; &lt;two&gt; &unknown;', 'one & <two> &unknown;'],
  ])('keeps the words of %j', (cue, text) => {
    expect(plainText(cue)).toBe(text)
  })
})
