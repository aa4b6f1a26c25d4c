import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { readCueText } from '../../../../lib/media/captions/cue-text.ts'
import { MAX_WEB_VTT_BYTES, parseWebVtt } from '../../../../lib/media/captions/web-vtt.ts'

const cue = (text: string, timing = '00:01.000 --> 00:02.000') => `WEBVTT\n\n${timing}\n${text}\n`
const textOf = (text: string) => parseWebVtt(cue(text)).cues[0]?.text

describe('parseWebVtt', () => {
  it('reads cues and writes them in one form', () => {
    const supplied =
      '\uFEFFWEBVTT - made by hand\r\nKind: captions\r\n\r\nNOTE\r\nnobody reads this\r\n\r\n' +
      'first\r\n00:01.5  --> 00:02'.replace('00:01.5', '00:01.500').replace('00:02', '00:02.000') +
      '\talign:start  line:0\r\nOne\r\ntwo\r\n\r\n\r\n01:00:00.000 --> 01:00:03.250\rThree'
    const captions = parseWebVtt(supplied)
    expect(captions.cues).toEqual([
      { id: 'first', start: 1.5, end: 2, settings: 'align:start line:0', text: 'One\ntwo' },
      { start: 3600, end: 3603.25, settings: '', text: 'Three' },
    ])
    expect(captions.duration).toBe(3603.25)
    expect(captions.text).toBe(
      'WEBVTT\n\nfirst\n00:00:01.500 --> 00:00:02.000 align:start line:0\nOne\ntwo\n\n' +
        '01:00:00.000 --> 01:00:03.250\nThree\n',
    )
    expect(parseWebVtt(captions.text)).toEqual(captions)
  })

  it.each([
    ['<v Anna>Hello', '<v Anna>Hello'],
    ['<v.loud Anna & Bob>Hello</v>', '<v.loud Anna &amp; Bob>Hello</v>'],
    ['<i>so <b>much</b></i> <c.red.big>x</c>', '<i>so <b>much</b></i> <c.red.big>x</c>'],
    ['<lang en-GB>colour</lang> <ruby>a<rt>b</rt></ruby>', '<lang en-GB>colour</lang> <ruby>a<rt>b</rt></ruby>'],
    ['sing <00:00:01.500>along', 'sing <00:00:01.500>along'],
    ['Q&A > &amp; &#39; &lt;script&gt; &nothing', 'Q&amp;A &gt; &amp; &#39; &lt;script&gt; &amp;nothing'],
  ])('keeps the tags of WebVTT and escapes the rest: %s', (text, expected) => {
    expect(textOf(text)).toBe(expected)
  })

  it.each([
    ['<script>alert(1)</script>', /line 4 holds <script>, which is not a WebVTT tag: write &lt; for <\./],
    ['<img src=x onerror=alert(1)>', /line 4 holds <img src=x/],
    ['<b onclick=x>', /line 4 holds <b onclick=x>/],
    ['<b', /line 4 holds <b,/],
    ['fine\n1 < 2', /line 5 holds </],
    ['<i>open', /line 4 ends a cue in which i is still open/],
    ['<i><b>x</i></b>', /line 4 closes i, which is not open there/],
    ['x</v>', /line 4 closes v/],
  ])('refuses %s', (text, message) => {
    expect(() => textOf(text)).toThrow(message)
  })

  it.each([
    ['', /line 1 must be WEBVTT/],
    ['1\n00:00:01,000 --> 00:00:02,000\nHi', /line 1 must be WEBVTT/],
    ['WEBVTTX\n', /line 1 must be WEBVTT/],
    ['WEBVTT\n', /hold no cue/],
    ['WEBVTT\n00:01.000 --> 00:02.000\nHi', /line 2 is a time: put an empty line/],
    ['WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:900000,LOCAL:00:00:00.000\n', /line 2 ties the captions/],
    ['WEBVTT\n\nSTYLE\n::cue { background: url(//x) }\n', /line 3 begins a STYLE block/],
    ['WEBVTT\n\nREGION\nid:x\n', /line 3 begins a REGION block/],
    ['WEBVTT\n\nHello there\n', /line 3 begins a block without a time/],
    ['WEBVTT\n\nNOTE x\n00:01.000 --> 00:02.000\nHi\n', /line 4 is a time within a NOTE/],
    [cue('Hi', '00:00:01,000 --> 00:00:02,000'), /line 3 has a comma in a time/],
    [cue('Hi', '00:00:01 --> 00:00:02'), /line 3 is not a time of the form/],
    [cue('Hi', '00:61.000 --> 00:62.000'), /line 3 is not a time of the form/],
    [cue('Hi', '00:02.000 --> 00:02.000'), /line 3 ends before it begins/],
    [cue('Hi', '00:01.000 --> 00:02.000 color:red'), /line 3 has an unknown WebVTT setting \(color:red\)/],
    [cue('Hi', '00:01.000 --> 00:02.000 region:x'), /line 3 has an unknown WebVTT setting/],
    [cue('Hi\n00:02.000 --> 00:03.000\nHo'), /line 5 is a time: put an empty line between/],
    [`${cue('Hi')}\n00:00.500 --> 00:03.000\nHo`, /line 6 begins before the cue ahead of it/],
    [cue('a\0b'), /line 4 holds a control character/],
    [cue(`Hi\n${'x'.repeat(10_001)}`), /line 5 has 10001 characters: 10000 are allowed/],
    [`WEBVTT\n${'x'.repeat(MAX_WEB_VTT_BYTES)}`, /characters: 4194304 are allowed/],
  ])('names the invalid line: %#', (text, message) => {
    expect(() => parseWebVtt(text)).toThrow(
      expect.objectContaining({ name: 'MediaError', message: expect.stringMatching(message) }),
    )
  })

  it('parses hours of captions at once', () => {
    const time = (second: number) => new Date(second * 1000).toISOString().slice(11, 23)
    const lines = Array.from({ length: 20_000 }, (_, n) => `${time(n * 2)} --> ${time(n * 2 + 2)}\n<i>Line</i> ${n}\n`)
    expect(parseWebVtt(['WEBVTT\n', ...lines].join('\n')).cues).toHaveLength(20_000)
  })

  it.each([
    ['an annotation without an end', (spaces: string) => cue(`<v${spaces}`), /line 4 holds <v/],
    ['an annotation within spaces', (spaces: string) => cue(`<v${spaces}A${spaces}B`), /line 4 holds <v/],
    ['classes without an end', (spaces: string) => cue(`<c${'.a'.repeat(spaces.length / 2)}`), /line 4 holds <c/],
    [
      'settings within spaces',
      (spaces: string) => cue('Hi', `00:01.000 --> 00:02.000${spaces}x${spaces}y`),
      /line 3 has/,
    ],
    ['a time within spaces', (spaces: string) => cue('Hi', `00:01.000${spaces}--> ${spaces}`), /line 3 is not a time/],
  ])('takes linear time for %s', (_, hostile, message) => {
    const parse = () => {
      for (let block = 0; block < 400; block++) expect(() => parseWebVtt(hostile(' '.repeat(4900)))).toThrow(message)
    }
    // All 4 MB, for which a quadratic expression takes hours: the assertion ends the loop before.
    runInNewContext('parse()', { parse }, { timeout: 60_000 })
  })

  it('reads a voice behind a megabyte of spaces', () => {
    const read = () =>
      readCueText([`<v${' '.repeat(2 ** 20)}Anna${' '.repeat(2 ** 20)}>Hello`], 0, () => expect.unreachable())
    expect(runInNewContext('read()', { read }, { timeout: 60_000 })).toBe('<v Anna>Hello')
  })
})
