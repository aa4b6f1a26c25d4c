import type { Planted } from '../mutant.ts'

/** Mistakes in what changes a published recording after its show. */
export const edits: readonly Planted[] = [
  {
    what: 'a restored recording that stays recorded as deleted',
    edits: [
      {
        file: 'lib/publish/deletion/deletion.ts',
        text: '  await forgetDeletion(storage, document)\n',
        instead: '',
      },
    ],
    seed: 22,
  },
  {
    what: 'a clip that begins a second early',
    edits: [
      {
        file: 'lib/publish/clips/clip-span.ts',
        text: 'Math.max(0, duration - (last ?? 0))',
        instead: 'Math.max(0, duration - (last ?? 0) - 1)',
      },
    ],
    seed: 34,
  },
  {
    what: 'a rejected file that stays current',
    edits: [
      {
        file: 'lambdas/api/recordings/withheld-files.ts',
        text: 'versions.slice(0, published)',
        instead: 'versions.slice(0, published - 1)',
      },
    ],
    seed: 34,
  },
  {
    what: 'captions that are supplied beside those that they replace',
    edits: [
      {
        file: 'lambdas/api/recordings/captions.ts',
        text: 'return [...others, file].sort',
        instead: 'return [...captions, file].sort',
      },
    ],
    seed: 31,
  },
  {
    what: 'a recording that is gone and can be restored',
    edits: [
      {
        file: 'lib/publish/deletion/deletion.ts',
        text: "DELETABLE.includes(status) ? 'known' : 'unknown'",
        instead: "'known'",
      },
    ],
    seed: 32,
  },
  {
    what: 'an accepted file that can be rejected',
    edits: [
      {
        file: 'lambdas/api/recordings/withheld-files.ts',
        text: 'if (withheld.etag === etag && withheld.acceptedAt)',
        instead: 'if (withheld.etag === etag && !withheld.acceptedAt)',
      },
    ],
    seed: 4,
  },
]
