import type { Planted } from '../mutant.ts'

/** Mistakes in clips of live shows. */
export const clips: readonly Planted[] = [
  {
    what: 'a clip of a broadcast that lasts a second longer',
    edits: [
      {
        file: 'lambdas/api/clips-of-shows.ts',
        text: 'from: secondsAt(span.from), to',
        instead: 'from: secondsAt(span.from) - 1, to',
      },
    ],
    seed: 8,
  },
  {
    what: 'a clip of a broadcast without the last segment',
    edits: [
      {
        file: 'lib/publish/clips/live-broadcast.ts',
        text: 'writeLiveClip(limitList(list, span), span)',
        instead: 'writeLiveClip(limitList(list, { ...span, to: span.from }), span)',
      },
    ],
    seed: 44,
  },
  {
    what: 'a clip whose owner is not notified',
    edits: [
      {
        file: 'lib/publish/clips/publish-clip.ts',
        text: 'await events.publish({ ...event, callback: request?.show.callback !== undefined })',
        instead: '',
      },
    ],
    seed: 44,
  },
  {
    what: 'a clip that waits although its recording is published',
    edits: [
      {
        file: 'lib/publish/clips/queued-clips.ts',
        text: 'if (!isQueuedClip(clip)) continue',
        instead: 'if (isQueuedClip(clip)) continue',
      },
    ],
    seed: 8,
  },
  {
    what: 'a clip that waits for a lost recording',
    edits: [
      {
        file: 'lib/publish/clips/queued-clips.ts',
        text: 'if (archiveId !== undefined && lost !== undefined)',
        instead: 'if (archiveId !== undefined && lost === undefined)',
      },
    ],
    seed: 8,
  },
  {
    what: 'a clip that fails although its recording has it',
    edits: [
      {
        file: 'lib/publish/clips/queued-clips.ts',
        text: 'const problem = !hasHls',
        instead: 'const problem = hasHls',
      },
    ],
    seed: 8,
  },
  {
    what: 'a repeated request that creates another clip',
    edits: [
      {
        file: 'lambdas/api/clips-of-shows.ts',
        text: 'clipIdOf(event, services)',
        instead: "services.newId().replaceAll('-', '').slice(0, 16)",
      },
    ],
    seed: 8,
  },
]
