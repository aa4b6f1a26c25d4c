import type { Planted } from '../mutant.ts'

/** Mistakes in publishing, in the API and in operations. They were written without knowledge of the tests and the simulation. */
export const unseenOfRecordings: readonly Planted[] = [
  {
    what: 'playlists keep the last captions after they are deleted',
    edits: [
      {
        file: 'lib/publish/carry-captions.ts',
        text: '(captions.length === 0 && others.length === files.length)',
        instead: 'captions.length === 0',
      },
    ],
    seed: 8,
  },
  {
    what: 'revocation forgotten when another file replaces the source of a recording',
    edits: [
      {
        file: 'lib/publish/publish-manifest.ts',
        text: 'keepRevoked(document, earlier?.epoch)',
        instead: 'keepRevoked(document, ofSameFile(earlier)?.epoch)',
      },
    ],
    seed: 4,
  },
  {
    what: 'last marker of a live clip is the last listed one, not the latest',
    edits: [
      {
        file: 'lib/publish/clips/live-clip-span.ts',
        text: 'return times.length > 0 ? Math.max(...times) : undefined',
        instead: 'return times.at(-1)',
      },
    ],
    seed: 8,
  },
  {
    what: 'composite without audio where a single stream has some',
    edits: [
      {
        file: 'lib/publish/composite.ts',
        text: 'const hasAudio = plan.voices.length > 0',
        instead: 'const hasAudio = plan.voices.length > 1',
      },
    ],
    seed: 46,
  },
  {
    what: 'link to the source without its version, so that it leads to a withheld file',
    edits: [{ file: 'lib/publish/file-links.ts', text: '    versionId: source.versionId,\n', instead: '' }],
    seed: 34,
  },
  {
    what: 'epoch of a watch link not signed, so that a revoked link can be renewed by its holder',
    edits: [
      {
        file: 'lib/publish/watch-links.ts',
        text: '[archiveId, ...(epoch === 0 ? [] : [epoch]), expires].join',
        instead: '[archiveId, expires].join',
      },
    ],
    seed: 8,
  },
  {
    what: "existing project of the same name adopted as the deployment's own",
    edits: [
      {
        file: 'lib/operations/platform-project/managed-project.ts',
        text: 'isResumed ? before.making.known : (await projectsNamed(account, order.name)).map(({ id }) => id)',
        instead: 'isResumed ? before.making.known : []',
      },
    ],
    seed: 43,
  },
  {
    what: 'new callback key signs after seconds instead of an hour',
    edits: [
      {
        file: 'lib/operations/notifications/callback-keys.ts',
        text: 'export const KEY_OVERLAP = 3_600_000',
        instead: 'export const KEY_OVERLAP = 3_600',
      },
    ],
    seed: 5,
  },
  {
    what: 'redirect of an app taken as acceptance of a callback',
    edits: [
      {
        file: 'lib/operations/notifications/owner-callbacks.ts',
        text: "if (status >= 200 && status < 300) return { outcome: 'accepted', status }",
        instead: "if (status >= 200 && status < 400) return { outcome: 'accepted', status }",
      },
    ],
    seed: 18,
  },
  {
    what: 'platform event recorded as handled before it is published',
    edits: [
      {
        file: 'lib/operations/platform-callbacks/handle-event.ts',
        text: '  await platformEvents.publish(event)\n  await storage.writeDocument(key, { version: 1, kind, receivedAt }, undefined)\n',
        instead:
          '  await storage.writeDocument(key, { version: 1, kind, receivedAt }, undefined)\n  await platformEvents.publish(event)\n',
      },
    ],
    seed: 18,
  },
  {
    what: 'id of a platform callback that differs for each repetition',
    edits: [
      {
        file: 'lib/operations/platform-callbacks/platform-callbacks.ts',
        text: "createHash('sha256').update(body).digest('hex')",
        instead: "createHash('sha256').update(body).update(authorization ?? '').digest('hex')",
      },
    ],
    seed: 11,
  },
  {
    what: 'usage of a day recorded before Insights have reported all of it',
    edits: [{ file: 'lib/operations/usage/usage.ts', text: '/ DAY) * DAY - DAY\n', instead: '/ DAY) * DAY\n' }],
    seed: 38,
  },
  {
    what: 'bytes that a joined recording shares with its parts counted twice',
    edits: [
      {
        file: 'lib/operations/usage/count-show.ts',
        text: '  const sizes = new Map(files.map(({ key, size }) => [key, size]))\n  return [...sizes.values()].reduce((sum, size) => sum + size, 0)\n',
        instead: '  return files.reduce((sum, { size }) => sum + size, 0)\n',
      },
    ],
    seed: 34,
  },
  {
    what: 'quality of a show queried and recorded again by every call',
    edits: [
      {
        file: 'lib/operations/usage/usage.ts',
        text: 'meetings !== null && since <= QUALITY_RETENTION && (await usageRecords.readQuality(showId)) === undefined',
        instead: 'meetings !== null && since <= QUALITY_RETENTION',
      },
    ],
    seed: 38,
  },
  {
    what: 'owner event of a later part with the archive of the first part',
    edits: [
      {
        file: 'lib/events/owner-event-contents.ts',
        text: 'one.name === name && one.part === (part ?? 1)',
        instead: 'one.name === name',
      },
    ],
    seed: 26,
  },
  {
    what: 'document of a show that can still be edited kept in memory',
    edits: [
      {
        file: 'lib/records/shows.ts',
        text: 'if (current.isFinal) requests.set(showId, current.request)',
        instead: 'requests.set(showId, current.request)',
      },
    ],
    seed: 36,
  },
  {
    what: 'control of another recording with the same Idempotency-Key answered as done',
    edits: [
      {
        file: 'lambdas/api/controls/control.ts',
        text: 'digestOf([name, body, ...(output === undefined ? [] : [output])])',
        instead: 'digestOf([name, body])',
      },
    ],
    seed: 12,
  },
  {
    what: 'each page of recordings until a time is the first page',
    edits: [
      {
        file: 'lambdas/api/recordings/recordings.ts',
        text: '{ ...until, ...options },',
        instead: '{ ...options, ...until },',
      },
    ],
    seed: 2,
  },
  {
    what: 'links to clips of a revoked recording that never work',
    edits: [
      {
        file: 'lambdas/api/clip-links.ts',
        text: 'clipSubject(archiveId, clipId), WATCH_LINK_SECONDS, epoch)',
        instead: 'clipSubject(archiveId, clipId), WATCH_LINK_SECONDS)',
      },
    ],
    seed: 8,
  },
  {
    what: 'participant can replace the data that the invitation has signed',
    edits: [
      {
        file: 'lambdas/join/post-join.ts',
        text: 'role, data = given, expiresIn, layoutClasses } = await open(text, services)\n',
        instead:
          'role, data: invited, expiresIn, layoutClasses } = await open(text, services)\n  const data = given ?? invited\n',
      },
    ],
    seed: 2,
  },
  {
    what: 'link to a show opens its recordings whose links were revoked',
    edits: [
      {
        file: 'lambdas/watch/show/show-recordings.ts',
        text: 'if (epoch !== undefined || expires === undefined) return undefined',
        instead: 'if (expires === undefined) return undefined',
      },
      {
        file: 'lambdas/watch/show/show-recordings.ts',
        text: 'watchLinks.grantUntil(archiveId, expires)',
        instead: 'watchLinks.grantUntil(archiveId, expires, epoch)',
      },
    ],
    seed: 8,
  },
  {
    what: 'event that is not recorded yet fails its notification instead of being retried',
    edits: [
      {
        file: 'lambdas/operations/notify-owner.ts',
        text: 'throw new EventNotRecordedError(',
        instead: 'throw new TaskInputError(',
      },
    ],
    seed: 24,
  },
  {
    what: 'recording loses its HLS because a rendition could not be encoded',
    edits: [
      {
        file: 'statemachines/publish.asl.json',
        text: '                        "files": "{% [$ready[role in [\'hls\', \'hls-media\']]] %}",\n                        "missing": "{% $holes[0] %}"\n',
        instead: '                        "files": [],\n                        "missing": "{% $holes[0] %}"\n',
      },
    ],
    seed: 4,
  },
  {
    what: 'hash of the composite recorded as that of an individual archive',
    edits: [
      {
        file: 'statemachines/publish.asl.json',
        text: '              "Resource": "${HashSource}",\n              "Arguments": {\n                "bucket": "{% $states.context.Execution.Input.bucket %}",\n                "key": "{% $states.context.Execution.Input.key %}",\n                "etag": "{% $states.context.Execution.Input.etag %}"\n              },\n',
        instead: '              "Resource": "${HashSource}",\n              "Arguments": "{% $source %}",\n',
      },
    ],
    seed: 46,
  },
  {
    what: 'replay of an event not carried to the task, so that it is not sent after an app has answered 410',
    edits: [
      {
        file: 'statemachines/notify.asl.json',
        text: '"event": "{% $states.input.detail %}"',
        instead:
          "\"event\": \"{% { 'id': $states.input.detail.id, 'showId': $states.input.detail.showId, 'archiveId': $states.input.detail.archiveId } %}\"",
      },
    ],
    seed: 10,
  },
]
