type Fetch = (request: Request) => Promise<Response>

export type UserPolicies = ReturnType<typeof createUserPolicies>

/** Lets IAM list no policy of a user once its stack has deleted the policy. */
export function createUserPolicies(now: () => number) {
  let goneFrom: number | undefined
  return {
    get areDeleted(): boolean {
      return goneFrom !== undefined
    },
    /** Deletes the policies of all users. IAM lists them for some seconds more. */
    delete(seconds: number): void {
      goneFrom = now() + seconds * 1000
    },
    /** Wraps AWS to change the answers about policies. */
    read:
      (aws: Fetch): Fetch =>
      async (request) => {
        if (
          goneFrom === undefined ||
          now() < goneFrom ||
          !/\/iam\/aws4_request/.test(request.headers.get('authorization') ?? '')
        )
          return aws(request)
        const isList = new URLSearchParams(await request.clone().text()).get('Action') === 'ListUserPolicies'
        const answer = await aws(request)
        if (!isList || !answer.ok) return answer
        const { status, headers } = answer
        return new Response((await answer.text()).replace(/<member>[^<]*<\/member>/g, ''), { status, headers })
      },
  }
}
