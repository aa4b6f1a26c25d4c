import type { Planted } from '../mutant.ts'

/** Mistakes in notifications, rotations, callbacks of the platform, and requests to the API. */
export const operations: readonly Planted[] = [
  {
    what: 'a failed show that no alarm reports',
    edits: [
      {
        file: 'lambdas/middleware/measures.ts',
        text: "showsFailed: status === 'failed' ? 1 : 0,",
        instead: "showsFailed: status === 'degraded' ? 1 : 0,",
      },
    ],
    seed: 13,
  },
  {
    what: 'a secret of a show in the log',
    edits: [
      {
        file: 'lib/aws/show-secrets.ts',
        text: 'const { [key]: value, [destinationsKey]: destinations } = read',
        instead: 'console.log(read); const { [key]: value, [destinationsKey]: destinations } = read',
      },
    ],
    seed: 1,
  },
  {
    what: 'a signature over another text than the body',
    edits: [
      {
        file: 'lib/operations/notifications/owner-callbacks.ts',
        text: "createHash('sha256').update(body)",
        instead: "createHash('sha256').update(url)",
      },
    ],
    seed: 1,
  },
  {
    what: 'a token that names no event',
    edits: [{ file: 'lib/operations/notifications/owner-callbacks.ts', text: 'jti: id,', instead: "jti: ''," }],
    seed: 1,
  },
  {
    what: 'a token that has expired',
    edits: [
      {
        file: 'lib/operations/notifications/owner-callbacks.ts',
        text: 'exp: iat + ownerCallback.lifetime',
        instead: 'exp: iat - ownerCallback.lifetime',
      },
    ],
    seed: 1,
  },
  {
    what: 'an app that is down and not called again',
    edits: [
      {
        file: 'lib/operations/notifications/owner-callbacks.ts',
        text: 'if (status >= 500 || ownerCallback.retryableStatuses.includes(status)) throw',
        instead: 'if (ownerCallback.retryableStatuses.includes(status)) throw',
      },
    ],
    seed: 6,
  },
  {
    what: 'a busy app that is not called again',
    edits: [
      {
        file: 'lib/operations/notifications/owner-callbacks.ts',
        text: 'ownerCallback.retryableStatuses.includes(status)) throw',
        instead: 'ownerCallback.retryableStatuses.slice(0, 2).includes(status)) throw',
      },
    ],
    seed: 1,
  },
  {
    what: 'an app that takes any time to answer',
    edits: [
      {
        file: 'lib/operations/notifications/owner-callbacks.ts',
        text: 'clock.now() + ownerCallback.patience * 1000',
        instead: 'clock.now() + ownerCallback.patience * 1e9',
      },
    ],
    seed: 30,
  },
  {
    what: 'an event that is read under another identity',
    edits: [
      {
        file: 'lib/operations/notifications/recorded-events.ts',
        text: 'id === `${showId}/${identityOf(one)}`',
        instead: 'id === `${showId}/${one.what}`',
      },
    ],
    seed: 1,
  },
  {
    what: 'an owner who is not notified',
    edits: [
      {
        file: 'lambdas/operations/notify-owner.ts',
        text: 'const answer = await callbacks\n      .post(callback, event, (attempt) => attempts.push(attempt))\n      .finally(() =>',
        instead: "const answer = await Promise.resolve({ outcome: 'accepted', status: 200 } as const).finally(() =>",
      },
    ],
    seed: 1,
  },
  {
    what: 'an owner who is notified after they wanted no more',
    edits: [
      {
        file: 'lambdas/operations/notify-owner.ts',
        text: 'if (!replay && (await shows.state(showId)).callbackGoneAt)',
        instead: 'if (!(await shows.state(showId)))',
      },
    ],
    seed: 10,
  },
  {
    what: 'an upload target of another bucket',
    edits: [
      {
        file: 'lib/operations/upload-keys/upload-target.ts',
        text: "bucket: variable('BUCKET'),",
        instead: "bucket: `${variable('BUCKET')}-other`,",
      },
    ],
    seed: 4,
  },
  {
    what: 'an upload target without the fallback that keeps files',
    edits: [
      { file: 'lib/operations/upload-keys/upload-target.ts', text: "fallback: 'opentok'", instead: "fallback: 'none'" },
    ],
    seed: 9,
  },
  {
    what: 'a rotation that retires the key in use',
    edits: [
      {
        file: 'lib/operations/upload-keys/rotate-upload-key.ts',
        text: 'return [current.accessKeyId, ...(pending ?',
        instead: 'return [...(pending ?',
      },
    ],
    seed: 18,
  },
  {
    what: 'a rotation that does not wait for uploads',
    edits: [
      {
        file: 'lib/operations/upload-keys/rotate-upload-key.ts',
        text: 'if (active.length > 0 && (await isUploadUnderWay(services)))',
        instead: 'if (active.length < 0)',
      },
    ],
    seed: 29,
  },
  {
    what: 'a callback of the platform that is handled twice',
    edits: [
      {
        file: 'lib/operations/platform-callbacks/handle-event.ts',
        text: "if ((await storage.sizeOf(key)) !== undefined) return { outcome: 'done before' }",
        instead: '',
      },
    ],
    seed: 19,
  },
  {
    what: 'a callback of the platform that is not published',
    edits: [
      {
        file: 'lib/operations/platform-callbacks/handle-event.ts',
        text: `  await platformEvents.publish(event)
`,
        instead: '',
      },
    ],
    seed: 18,
  },
  {
    what: 'a repeated control that is carried out again',
    edits: [
      { file: 'lambdas/api/controls/control.ts', text: 'isDone = earlier?.done ?? false', instead: 'isDone = false' },
    ],
    seed: 38,
  },
  {
    what: 'a stop that is answered and not noted',
    edits: [
      {
        file: 'lambdas/api/controls/controls.ts',
        text: 'prepare: (state, _body, { now }) => ({ ...state, stopAskedAt: state.stopAskedAt ?? new Date(now).toISOString() }),',
        instead: '',
      },
    ],
    seed: 11,
  },
  {
    what: 'a repeated post that starts another show',
    edits: [
      {
        file: 'lambdas/api/shows.ts',
        text: 'const showId = idempotencyId ?? newId()',
        instead: 'const showId = newId()',
      },
    ],
    seed: 29,
  },
  {
    what: 'refused tones of a dial-in whose outcome is called unknown',
    edits: [
      {
        file: 'lib/show/dial-ins/dial-in-dtmf.ts',
        text: "tones: isUnknown ? ('unknown' as const) : ('failed' as const)",
        instead: "tones: !isUnknown ? ('unknown' as const) : ('failed' as const)",
      },
    ],
    seed: 18,
  },
  {
    what: 'changes that are left for later although there is time',
    edits: [
      {
        file: 'lambdas/api/controls/patch-show.ts',
        text: 'if (done < layouts.length',
        instead: 'if (done <= layouts.length',
      },
    ],
    seed: 25,
  },
  {
    what: 'a callback of the platform that anyone may sign',
    edits: [
      {
        file: 'lib/operations/platform-callbacks/platform-callbacks.ts',
        text: "problem ? { is: 'untrusted', reason: problem.message } : { is: 'genuine' }",
        instead: "problem?.code === 'no-token' ? { is: 'untrusted', reason: problem.message } : { is: 'genuine' }",
      },
    ],
    seed: 2,
  },
  {
    what: 'a call that no callback names',
    edits: [
      {
        file: 'lib/show/dial-ins/dial-in-events.ts',
        text: "if (event !== 'connectionCreated' || !marked) return",
        instead: "if (event === 'connectionCreated' || !marked) return",
      },
    ],
    seed: 18,
  },
]
