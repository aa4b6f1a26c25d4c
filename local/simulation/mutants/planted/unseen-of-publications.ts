import type { Planted } from '../mutant.ts'

/**
 * Mistakes in publications that are repeated, replaced, queued or deleted. They were written without knowledge of the tests and the
 * simulation.
 */
export const unseenOfPublications: readonly Planted[] = [
  {
    what: 'rebuild drops the published files of a format that could not be made again',
    edits: [
      {
        file: 'lib/publish/manifest-document.ts',
        text: 'inspection?.formats.filter((format) => !missing.some((one) => one.format === format)) ?? []',
        instead: 'inspection?.formats ?? []',
      },
    ],
    seed: 38,
  },
  {
    what: 'differing replacement of a recording that is only ready is published instead of withheld',
    edits: [
      {
        file: 'lib/publish/withholding.ts',
        text: "published.status !== 'failed' &&",
        instead: "published.status === 'complete' &&",
      },
    ],
    seed: 28,
  },
  {
    what: 'joined recording is public although a later part was revoked',
    edits: [
      {
        file: 'lib/publish/joining/publish-joined.ts',
        text: '[earlier, ...parts.map(({ manifest }) => manifest)]',
        instead: '[earlier, parts[0]?.manifest]',
      },
    ],
    seed: 38,
  },
  {
    what: 'queued clip whose cut was recorded but not started is never started again',
    edits: [
      {
        file: 'lib/publish/manifest/clip.ts',
        text: "clip.queued !== undefined && (clip.status === 'queued' || clip.status === 'cutting')",
        instead: "clip.queued !== undefined && clip.status === 'queued'",
      },
    ],
    seed: 8,
  },
  {
    what: 'index entry of an earlier deletion purges a recording that was deleted again later',
    edits: [
      {
        file: 'lib/publish/deletion/deletion.ts',
        text: 'Date.parse(stored.document.purgeAt) !== purgeAt',
        instead: 'Date.parse(stored.document.purgeAt) < purgeAt',
      },
    ],
    seed: 32,
  },
  {
    what: 'archive that is still being uploaded can be deleted',
    edits: [
      {
        file: 'lib/publish/deletion/delete-recording.ts',
        text: "['started', 'paused', 'stopped'].includes(status)",
        instead: "['started', 'paused'].includes(status)",
      },
    ],
    seed: 38,
  },
  {
    what: 'rejection of a withheld file also deletes a newer upload that was not judged',
    edits: [
      {
        file: 'lambdas/api/recordings/withheld-files.ts',
        text: 'if (published > 0 && versions[0]?.etag !== etag) throw replaced(archiveId)',
        instead: 'if (published > 0 && !versions.some((one) => one.etag === etag)) throw replaced(archiveId)',
      },
    ],
    seed: 34,
  },
  {
    what: 'only the first page of versions is read',
    edits: [
      {
        file: 'lib/aws/storage/versions.ts',
        text: '    from = IsTruncated && KeyMarker ?',
        instead: '    from = !IsTruncated && KeyMarker ?',
      },
    ],
    seed: 22,
  },
  {
    what: 'deletion recorded before its index entry, so that an interruption leaves it unpurged',
    edits: [
      {
        file: 'lib/records/deletion-records.ts',
        text: "  await storage.put(indexKeyOf(document), '', 'text/plain') // first, so that every deletion is purged\n  return storage.writeDocument(keys.deletion(document.archiveId), document, undefined)\n",
        instead:
          "  if (!(await storage.writeDocument(keys.deletion(document.archiveId), document, undefined))) return false\n  await storage.put(indexKeyOf(document), '', 'text/plain')\n  return true\n",
      },
    ],
    seed: 32,
  },
  {
    what: 'a recording that was only ready stays so after its newer file is rejected',
    edits: [
      {
        file: 'lambdas/api/recordings/withheld-files.ts',
        text: "if (status === 'ready') {",
        instead: "if (status === 'failed') {",
      },
    ],
    seed: 28,
  },
  {
    what: 'the composite of an individual archive compared with the platform’s record of its zip',
    edits: [
      {
        file: 'lib/publish/inspect-archive.ts',
        text: "  // A composite was made by Showrunner, so the platform's record does not describe it.\n  const differences = archive && !composed ?",
        instead: '  const differences = archive ?',
      },
    ],
    seed: 46,
  },
  {
    what: 'clips that wait for a recording which is published without HLS by its own order',
    edits: [
      {
        file: 'lib/publish/clips/queued-clips.ts',
        text: 'const formats = order?.publish?.formats ?? show.publish.formats',
        instead: 'const formats = show.publish.formats',
      },
    ],
    seed: 1,
  },
  {
    what: 'formats that a rebuild makes or misses again still listed as missing before',
    edits: [
      {
        file: 'lib/publish/manifest-document.ts',
        text: '    ...before.filter(({ format }) => !wanted.includes(format)),\n',
        instead: '    ...before,\n',
      },
    ],
    seed: 2,
  },
  {
    what: 'a free turn for slower formats although archives wait that cannot be watched yet',
    edits: [
      {
        file: 'lib/publish/queue/queued-turns.ts',
        text: '    free - waiting.filter((one) => !isComplete(one)).length,\n',
        instead: '    free,\n',
      },
    ],
    seed: 50,
  },
  {
    what: 'the MP4s of clips of live shows without the tag by which they are deleted',
    edits: [
      {
        file: 'lib/publish/clips/cut-published-clip.ts',
        text: 'const keepDays = live ? live.live.keepDays : manifest?.keepDays',
        instead: 'const keepDays = manifest?.keepDays',
      },
    ],
    seed: 8,
  },
  {
    what: 'links to a joined recording that were revoked working again once its parts are joined again',
    edits: [
      {
        file: 'lib/publish/joining/publish-joined.ts',
        text: '...revoked(earlier, parts),',
        instead: '...revoked(undefined, parts),',
      },
    ],
    seed: 8,
  },
  {
    what: 'a file that was uploaded a second time without the tag by which it is deleted',
    edits: [
      {
        file: 'lib/publish/adopt-repeated-upload.ts',
        text: "import { tagsFor } from './manifest/manifest.ts'\n",
        instead: '',
      },
      {
        file: 'lib/publish/adopt-repeated-upload.ts',
        text: 'const { source, keepDays } = manifest ?? {}',
        instead: 'const { source } = manifest ?? {}',
      },
      {
        file: 'lib/publish/adopt-repeated-upload.ts',
        text: '  if (keepDays) await storage.tag(key, tagsFor(keepDays))\n',
        instead: '',
      },
    ],
    seed: 8,
  },
  {
    what: 'an interrupted publish given up after two attempts',
    edits: [
      {
        file: 'lib/publish/start-publishing.ts',
        text: 'if (attempt > MAX_AUTOMATIC_ATTEMPTS)',
        instead: 'if (attempt >= MAX_AUTOMATIC_ATTEMPTS)',
      },
    ],
    seed: 40,
  },
  {
    what: 'clips by times on the clock within a pause that begin before it',
    edits: [
      {
        file: 'lib/publish/clips/clip-span.ts',
        text: '(seconds <= at ? seconds : at + Math.max(0, seconds - at - duration))',
        instead: '(seconds <= at ? seconds : seconds - duration)',
      },
    ],
    seed: 8,
  },
]
