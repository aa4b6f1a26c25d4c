import type { Recording, Show } from '../../../web/console/answers.ts'

/** Playlist of the broadcast of {@link liveShow}. */
export const hls = 'http://127.0.0.1:1/live.m3u8'

/** Returns a live show with a recording and a broadcast. @param times and other changes */
export const liveShow = (changes: Pick<Show, 'acceptedAt'> & Partial<Show>): Show => ({
  ...{ showId: 'a', name: 'Launch', status: 'live' },
  recordings: [{ name: 'program', part: 1, tag: 'a/program/1', archiveId: '1', status: 'started' }],
  broadcasts: [{ name: 'live', part: 1, tag: 'a/live/1', status: 'started', hls }],
  scenes: [],
  dialIns: [],
  timeline: [],
  ...changes,
})

/** Returns a show of {@link liveShow} after its planned end, with its recording uploaded. */
export const endedShow = (show: Show): Show => ({
  ...show,
  status: 'succeeded',
  endedAt: show.plannedEndAt,
  result: {
    reason: 'The planned end was reached.',
    recordings: [{ name: 'program', part: 1, tag: 'a/program/1', archiveId: '1', status: 'uploaded', key: 'k' }],
    broadcasts: [{ name: 'live', part: 1, tag: 'a/live/1', status: 'stopped', hls }],
    scenes: [],
    dialIns: [],
  },
})

/** Returns the published recording of such a show. */
export const publishedRecording = (changes: Pick<Recording, 'createdAt'> & Partial<Recording>): Recording => ({
  ...{ archiveId: '1', status: 'complete', access: 'signed', duration: 20, video: null, audio: null, files: [] },
  source: { key: 'k', size: 1, sha256: null, url: 'http://127.0.0.1:1/k' },
  watch: { url: 'http://127.0.0.1:1/watch/1' },
  ...changes,
})
