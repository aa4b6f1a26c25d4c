import type { Planted } from '../mutant.ts'

/** Mistakes in publishing, from the arrival of a file to the manifest and its event. */
export const publishing: readonly Planted[] = [
  {
    what: 'a publish that starts again after it has succeeded',
    edits: [
      {
        file: 'lib/publish/start-publishing.ts',
        text: "if (existing.status === 'over' && !existing.hasSucceeded) continue",
        instead: "if (existing.status === 'over') continue",
      },
    ],
    seed: 13,
  },
  {
    what: 'an interrupted publish that is left',
    edits: [
      {
        file: 'lib/publish/start-publishing.ts',
        text: "const REPORTED: readonly unknown[] = ['PublishFailed', 'NotJoined']",
        instead: "const REPORTED: readonly unknown[] = ['PublishFailed', 'NotJoined', 'Unpublished', undefined]",
      },
    ],
    seed: 46,
  },
  {
    what: 'a publish that makes the formats of the show instead of those of its recording',
    edits: [
      {
        file: 'lib/publish/origin.ts',
        text: 'order: request && part ? publishingOf(request.show, part.name) : unknownOrigin.order,',
        instead: 'order: request ? request.show.publish : unknownOrigin.order,',
      },
    ],
    seed: 19,
  },
  {
    what: 'a retention period that is forgotten',
    edits: [
      {
        file: 'lib/publish/manifest-document.ts',
        text: '...(keepDays && { keepDays }),',
        instead: '',
      },
    ],
    seed: 19,
  },
  {
    what: 'a format that is missing without a reason',
    edits: [
      {
        file: 'lib/publish/manifest-document.ts',
        text: ': [...differencesOf(input), ...missing.map(({ problem }) => problem)]',
        instead: ': [...differencesOf(input)]',
      },
    ],
    seed: 2,
  },
  {
    what: 'a manifest that lists what it lacks as made',
    edits: [
      {
        file: 'lib/publish/manifest-document.ts',
        text: '...(missing.length > 0 && { missing }),',
        instead: '',
      },
    ],
    seed: 2,
  },
  {
    what: 'a file that is listed with another size',
    edits: [
      {
        file: 'lib/publish/published-files.ts',
        text: 'size: Buffer.byteLength(content), sha256',
        instead: 'size: content.length + 1, sha256',
      },
    ],
    seed: 4,
  },
  {
    what: 'an owner who is not notified of a failure',
    edits: [
      {
        file: 'lib/publish/publish-manifest.ts',
        text: '  if (!publication) return\n',
        instead: "  if (!publication || publication.status === 'failed') return\n",
      },
    ],
    seed: 31,
  },
  {
    what: 'an event of another publication',
    edits: [
      {
        file: 'lib/publish/publish-manifest.ts',
        text: 'const publication = publications.find(isPublicationOf(input))',
        instead: 'const publication = publications[0]',
      },
    ],
    seed: 20,
  },
  {
    what: 'a damaged format that fails the whole publish',
    edits: [
      {
        file: 'lib/publish/skip-damaged.ts',
        text: 'if (!isOfMedia(error)) throw error\n    return { ...nothing',
        instead: 'throw error\n    return { ...nothing',
      },
    ],
    seed: 4,
  },
  {
    what: 'a truncated file that replaces a whole one',
    edits: [
      {
        file: 'lib/publish/withholding.ts',
        text: 'if (failure) return [describeStateError(failure)]',
        instead: 'if (failure) return []',
      },
    ],
    seed: 34,
  },
  {
    what: 'parts that are joined without the last',
    edits: [
      {
        file: 'lib/publish/joining/find-published-parts.ts',
        text: 'const parts = found.slice(0, gap < 0 ? found.length : gap)',
        instead: 'const parts = found.slice(0, gap < 0 ? found.length - 1 : gap)',
      },
    ],
    seed: 31,
  },
  {
    what: 'a join that another part prevents',
    edits: [
      {
        file: 'lib/publish/joining/publish-joined.ts',
        text: 'if (fits && others.length > parts.length && (await areListed(services, others))) return false',
        instead: 'if (fits && others.length > 0) return false',
      },
    ],
    seed: 4,
  },
  {
    what: 'a machine that publishes the first manifest only',
    edits: [
      {
        file: 'statemachines/publish.asl.json',
        text: '"stage": "complete",\n        "inspection"',
        instead: '"stage": "ready",\n        "inspection"',
      },
    ],
    seed: 4,
  },
  {
    what: 'a machine that forgets what is missing at the end',
    edits: [
      {
        file: 'statemachines/publish.asl.json',
        text: '"missing": "{% [$missing] %}"',
        instead: '"missing": "{% [] %}"',
      },
    ],
    seed: 40,
  },
]
