import { accepted, broadcast, type DocumentCase, refused, times } from '../document-case.ts'

const CONTROLS = 'must not contain control characters'
const EITHER = 'needs either recording or broadcast'
const EXACTLY = 'needs exactly one of signal, layout and marker'
const signal = { type: 'chat', data: 'Hello' }
const layout = { type: 'pip' }
const cues = (...list: readonly object[]) => ({ cues: list })
const live = broadcast({ hls: {} })

/** Cues and announcements, in a show of 600 s. */
export const cuesOfShows: readonly DocumentCase[] = [
  accepted(
    'cues of every kind',
    {
      ...live,
      ...cues(
        { at: 0, signal },
        { at: 599, marker: 'Questions' },
        { at: 0, marker: 'Start' },
        { at: 61, marker: 'Part 2', recording: 'program' },
        { at: 5, layout, recording: 'program' },
        { at: 3, layout: { type: 'bestFit', screenshareType: 'pip' }, broadcast: 'live' },
      ),
    },
    {
      steps: [
        'cue: after 0 s: signal chat',
        'marker: after 0 s: Start, a chapter of every recording',
        'marker: after 9 min 59 s: Questions, a chapter of every recording',
        'marker: after 1 min 1 s: Part 2, a chapter of the recording program',
        'cue: after 5 s: pip in the recording program',
        'cue: after 3 s: bestFit in the broadcast live',
      ],
    },
  ),
  refused('cues that are too late', cues({ at: 600, signal }, { at: 599, signal }, { at: 601, marker: 'x' }), {
    'cues[0].at': 'must be before the end of the show, which lasts 600 s',
    'cues[2].at': 'must be before the end of the show, which lasts 600 s',
  }),
  refused('cues that are too early', cues({ at: -1, signal }), { 'cues[0].at': 'must be at least 0' }),
  refused('a cue at half a second', cues({ at: 1.5, signal }), { 'cues[0].at': 'must be a whole number' }),
  accepted('a cue before an open end', { duration: null, ...cues({ at: 35_999, signal }) }),
  refused(
    'a cue at an open end',
    { duration: null, ...cues({ at: 36_000, signal }) },
    {
      'cues[0].at': 'must be before the end of the show, which lasts 36000 s',
    },
  ),
  refused('cues without an effect', cues({ at: 1 }), { 'cues[0]': EXACTLY }),
  refused(
    'cues with two effects',
    cues({ at: 1, signal, marker: 'x' }, { at: 1, signal, layout, recording: 'program' }),
    { 'cues[0]': EXACTLY, 'cues[1]': EXACTLY },
  ),
  refused('a layout without a target', { ...live, ...cues({ at: 1, layout }) }, { 'cues[0]': EITHER }),
  refused(
    'a layout with two targets',
    { ...live, ...cues({ at: 1, layout, recording: 'program', broadcast: 'live' }) },
    { 'cues[0]': EITHER },
  ),
  refused(
    'targets of signals and markers',
    {
      ...live,
      ...cues(
        { at: 1, signal, recording: 'program' },
        { at: 1, signal, broadcast: 'live' },
        { at: 1, marker: 'x', broadcast: 'live' },
      ),
    },
    {
      'cues[0].recording': 'is only for a layout or a marker',
      'cues[1].broadcast': 'is only for a layout',
      'cues[2].broadcast': 'is only for a layout',
    },
  ),
  refused(
    'cues of what a show does not have',
    {
      ...live,
      recordings: [{ name: 'tracks', outputMode: 'individual' }],
      ...cues(
        { at: 1, layout, recording: 'other' },
        { at: 1, marker: 'x', recording: 'Tracks' },
        { at: 1, layout, broadcast: 'tracks' },
        { at: 1, layout, recording: 'tracks' },
        { at: 1, marker: 'x', recording: 'tracks' },
      ),
    },
    {
      'cues[0].recording': 'names no recording of the show: other',
      'cues[1].recording': 'names no recording of the show: Tracks',
      'cues[2].broadcast': 'names no broadcast of the show: tracks',
      'cues[3].recording': 'must name a recording with outputMode composed: others have no layout',
    },
  ),
  refused(
    'a marker of a show without recordings',
    { ...live, recordings: [], ...cues({ at: 1, marker: 'x' }) },
    {
      'cues[0].marker': 'needs a recording in the show',
    },
  ),
  refused(
    'a layout without its type, and one without its stylesheet',
    cues({ at: 1, layout: {}, recording: 'program' }, { at: 1, layout: { type: 'custom' }, recording: 'program' }),
    {
      'cues[0].layout.type': 'is missing',
      'cues[1].layout.stylesheet': 'is required with type custom',
    },
  ),
  accepted('50 cues with the longest markers', {
    cues: times(50, (number) => ({ at: number, marker: 'm'.repeat(100) })),
  }),
  refused(
    '51 cues',
    { cues: times(51, (number) => ({ at: number, marker: 'x' })) },
    {
      cues: 'must have at most 50 entries',
    },
  ),
  refused(
    'wrong markers',
    cues({ at: 1, marker: 'm'.repeat(101) }, { at: 1, marker: '' }, { at: 1, marker: ' ' }, { at: 1, marker: 'a\nb' }),
    {
      'cues[0].marker': 'must have at most 100 characters',
      'cues[1].marker': 'must not be empty',
      'cues[2].marker': 'must not be blank',
      'cues[3].marker': CONTROLS,
    },
  ),
  accepted(
    'the longest announcements',
    {
      announcements: {
        recordingStarted: { type: 'ä'.repeat(64), data: 'ä'.repeat(4_096) },
        recordingStopped: { type: 't', data: '\n' },
      },
    },
    { steps: [`signal: ${'ä'.repeat(64)} on recording started`, 'signal: t on recording stopped'] },
  ),
  refused(
    'announcements that are too long',
    {
      announcements: {
        recordingStarted: { type: `${'ä'.repeat(64)}t`, data: `${'ä'.repeat(4_096)}d` },
        recordingStopped: { type: '', data: '' },
      },
    },
    {
      'announcements.recordingStarted.type': 'must have at most 128 bytes',
      'announcements.recordingStarted.data': 'must have at most 8192 bytes',
      'announcements.recordingStopped.type': 'must not be empty',
      'announcements.recordingStopped.data': 'must not be empty',
    },
  ),
  refused(
    'an announcement with two lines',
    { announcements: { recordingStarted: { type: 'a\nb', data: 'x' } } },
    {
      'announcements.recordingStarted.type': CONTROLS,
    },
  ),
  refused(
    'an announcement without its message',
    { announcements: { recordingStopped: { type: 'a' } } },
    {
      'announcements.recordingStopped.data': 'is missing',
    },
  ),
]
