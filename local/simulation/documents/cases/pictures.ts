import { accepted, broadcast, type DocumentCase, recording, refused, times } from '../document-case.ts'

const SIZES = '640x480, 1280x720, 1920x1080, 480x640, 720x1280'
const styled = (layout: object) => ({ ...recording({ layout }), ...broadcast({ hls: {}, layout }) })
/** Returns the problems of a layout of a recording and of a broadcast. */
const inLayouts = (field: string, message: string) => ({
  [`recordings[0].layout${field}`]: message,
  [`broadcasts[0].layout${field}`]: message,
})
const NO_CUSTOM = 'must be "bestFit" or "horizontalPresentation" or "pip" or "verticalPresentation"'

/** Recordings and broadcasts: their tracks, sizes and layouts. */
export const pictures: readonly DocumentCase[] = [
  accepted('defaults of a recording and a broadcast', broadcast({ hls: {} }), {
    show: {
      recordings: [
        {
          ...{ outputMode: 'composed', streamMode: 'auto', hasAudio: true, hasVideo: true, parts: true },
          ...{ resolution: '1280x720', layout: null, pauses: null, publish: null },
        },
      ],
      broadcasts: [{ hls: { dvr: false, lowLatency: false }, rtmp: [], streamMode: 'auto', resolution: '1280x720' }],
      scenes: [],
      dialIns: [],
      cues: [],
      session: {},
    },
    steps: ['recording: program: composed, 1280x720 bestFit', 'broadcast: live: HLS, 1280x720 bestFit'],
  }),
  accepted(
    'defaults of version 1',
    { version: 1, ...broadcast({ hls: {} }) },
    {
      show: { version: 1, recordings: [{ resolution: null }], broadcasts: [{ resolution: null }] },
      steps: ['recording: program: composed, 640x480 bestFit', 'broadcast: live: HLS, 640x480 bestFit'],
    },
  ),
  accepted(
    'every size',
    {
      recordings: ['640x480', '1280x720', '1920x1080', '480x640', '720x1280', '1080x1920'].map((resolution) => ({
        name: `p${resolution}`,
        resolution,
      })),
    },
    { show: { recordings: [{ resolution: '640x480' }] } },
  ),
  refused(
    'another size',
    { ...recording({ resolution: '800x600' }), ...broadcast({ hls: {}, resolution: '0x0' }) },
    {
      'recordings[0].resolution': `must be ${SIZES} or 1080x1920: the platform composes no other size`,
      'broadcasts[0].resolution': `must be ${SIZES} or 1080x1920: the platform composes no other size`,
    },
  ),
  refused('a size of words', recording({ resolution: 'large' }), {
    'recordings[0].resolution': `must be ${[...SIZES.split(', '), '1080x1920'].map((one) => `"${one}"`).join(' or ')}`,
  }),
  accepted('individual streams without video', recording({ outputMode: 'individual', hasVideo: false }), {
    show: { recordings: [{ outputMode: 'individual', resolution: null }] },
    steps: ['recording: program: individual, audio only'],
  }),
  accepted('individual streams', recording({ outputMode: 'individual', hasAudio: false }), {
    show: { recordings: [{ outputMode: 'individual', resolution: null }] },
    steps: ['recording: program: individual, without audio'],
  }),
  accepted('audio alone', recording({ hasVideo: false, streamMode: 'manual' }), {
    show: { recordings: [{ hasVideo: false, resolution: null }] },
    steps: ['recording: program: composed, audio only, streams selected manually'],
  }),
  refused('neither audio nor video', recording({ hasAudio: false, hasVideo: false }), {
    'recordings[0]': 'hasAudio and hasVideo must not both be false',
  }),
  refused('individual streams with a size', recording({ outputMode: 'individual', resolution: '640x480' }), {
    'recordings[0].resolution': 'is only for outputMode composed',
  }),
  refused('individual streams with a layout', recording({ outputMode: 'individual', layout: { type: 'pip' } }), {
    'recordings[0].layout': 'is only for outputMode composed',
  }),
  refused(
    'other words',
    { ...recording({ outputMode: 'all', streamMode: 'some', hasAudio: 'yes', parts: 1 }) },
    {
      'recordings[0].outputMode': 'must be "composed" or "individual"',
      'recordings[0].streamMode': 'must be "auto" or "manual"',
      'recordings[0].hasAudio': 'must be true or false',
      'recordings[0].parts': 'must be true or false',
    },
  ),
  accepted('every kind of layout', {
    recordings: ['bestFit', 'horizontalPresentation', 'pip', 'verticalPresentation'].map((type) => ({
      name: type,
      layout: { type },
    })),
  }),
  accepted('a layout by default', styled({}), { show: { recordings: [{ layout: { type: 'bestFit' } }] } }),
  accepted('a layout with a stylesheet', styled({ type: 'custom', stylesheet: 'stream { float: left }' }), {
    steps: ['recording: program: composed, 1280x720 custom', 'broadcast: live: HLS, 1280x720 custom'],
  }),
  refused('a layout without its stylesheet', styled({ type: 'custom' }), {
    ...inLayouts('.stylesheet', 'is required with type custom'),
  }),
  refused('a stylesheet of another layout', styled({ type: 'pip', stylesheet: 'stream {}' }), {
    ...inLayouts('.stylesheet', 'is only allowed with type custom'),
  }),
  accepted('a layout for a shared screen', styled({ type: 'bestFit', screenshareType: 'pip' })),
  refused('a layout for a shared screen of another type', styled({ type: 'pip', screenshareType: 'bestFit' }), {
    ...inLayouts('.screenshareType', 'is only allowed with type bestFit and no stylesheet'),
  }),
  refused('a stylesheet for a shared screen', styled({ screenshareType: 'custom' }), {
    ...inLayouts('.screenshareType', NO_CUSTOM),
  }),
  refused('a layout with an unknown field', styled({ color: 'red' }), {
    ...inLayouts('.color', 'is not a field of a show'),
  }),
  accepted('50 recordings', { recordings: times(50, (number) => ({ name: `r${number}` })) }),
  refused(
    '51 recordings',
    { recordings: times(51, (number) => ({ name: `r${number}` })) },
    {
      recordings: 'must have at most 50 entries',
    },
  ),
  refused(
    'nothing to record or broadcast',
    { recordings: [] },
    {
      recordings: 'must have an entry if there is no broadcast',
    },
  ),
  refused(
    'nothing to record and an empty list of broadcasts',
    { recordings: [], broadcasts: [] },
    {
      recordings: 'must have an entry if there is no broadcast',
    },
  ),
  accepted(
    'a show that is only broadcast',
    { recordings: [], ...broadcast({ hls: {} }) },
    {
      show: { recordings: [] },
      noSteps: ['recording', 'uploads', 'publish', 'page'],
    },
  ),
  accepted(
    '5 broadcasts',
    {
      broadcasts: [
        { name: 'a', hls: { dvr: true } },
        { name: 'b', hls: { lowLatency: true } },
        { name: 'c', hls: {}, streamMode: 'manual' },
        { name: 'd', hls: { dvr: false, lowLatency: false } },
        { name: 'e', hls: {}, resolution: '1080x1920', layout: { type: 'pip' } },
      ],
    },
    {
      steps: [
        'broadcast: a: HLS with DVR, 1280x720 bestFit',
        'broadcast: b: HLS with low latency, 1280x720 bestFit',
        'broadcast: c: HLS, 1280x720 bestFit, streams selected manually',
        'broadcast: e: HLS, 1080x1920 pip',
      ],
    },
  ),
  refused(
    '6 broadcasts',
    { broadcasts: times(6, (number) => ({ name: `b${number}`, hls: {} })) },
    {
      broadcasts: 'must have at most 5 entries',
    },
  ),
  refused('a broadcast without a target', broadcast({}), { 'broadcasts[0]': 'needs hls, rtmp or both' }),
  refused('a broadcast with an empty list of servers', broadcast({ rtmp: [] }), {
    'broadcasts[0]': 'needs hls, rtmp or both',
  }),
  refused('a playlist with everything', broadcast({ hls: { dvr: true, lowLatency: true } }), {
    'broadcasts[0].hls': 'dvr and lowLatency exclude each other',
  }),
]
