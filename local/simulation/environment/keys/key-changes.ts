type Fetch = (request: Request) => Promise<Response>

/** An access key of a user that was deactivated or deleted. */
export interface KeyChange {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly action: 'deactivated' | 'deleted'
  readonly accessKeyId: string
}

const ACTIONS: Readonly<Record<string, KeyChange['action']>> = {
  UpdateAccessKey: 'deactivated',
  DeleteAccessKey: 'deleted',
}

/** Collects the access keys that IAM deactivates and deletes. */
export function createKeyChanges(now: () => number) {
  const all: KeyChange[] = []
  return {
    all: all as readonly KeyChange[],
    /** Wraps AWS to read the requests to IAM that it accepts. */
    read:
      (aws: Fetch): Fetch =>
      async (request) => {
        if (!/\/iam\/aws4_request/.test(request.headers.get('authorization') ?? '')) return aws(request)
        const order = new URLSearchParams(await request.clone().text())
        const answer = await aws(request)
        const action = ACTIONS[order.get('Action') ?? '']
        if (answer.ok && action) all.push({ at: now(), action, accessKeyId: order.get('AccessKeyId') ?? '' })
        return answer
      },
  }
}
