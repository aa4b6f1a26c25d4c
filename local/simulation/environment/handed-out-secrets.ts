import type { DirectPlatform } from './direct/direct-platform.ts'
import type { SearchedSecret } from './secret-search.ts'

type Fetch = (request: Request) => Promise<Response>

const PROJECT = /\/v2\/project(\/\d+(\/refreshSecret)?)?$/
const PROJECT_SECRET = /"secret":"([^"]+)"/g
const SIGNED_FOR_IAM = /\/iam\/aws4_request/

const PROJECT_NAME = 'a project’s secret'
const isOfProject = (url: string) => PROJECT.test(new URL(url).pathname)

/** Collects secrets that the platform and IAM created and returned to a caller, even if the caller did not store them. */
export function createHandedOutSecrets() {
  const all: SearchedSecret[] = []
  const reading =
    (target: Fetch, name: string, isRead: (request: Request) => boolean, pattern: RegExp): Fetch =>
    async (request) => {
      const response = await target(request)
      if (!isRead(request)) return response
      for (const [, value = ''] of (await response.clone().text()).matchAll(pattern)) all.push({ name, value })
      return response
    }
  return {
    all,
    /** Wraps the platform to read the secrets in its answers about projects. */
    readPlatform: (platform: Fetch) => reading(platform, PROJECT_NAME, ({ url }) => isOfProject(url), PROJECT_SECRET),
    /** Wraps a platform without HTTP in the same way. */
    readDirectly: (platform: DirectPlatform): DirectPlatform => ({
      async answerDirectly(request) {
        const answer = await platform.answerDirectly(request)
        if (answer && isOfProject(request.url))
          for (const [, value = ''] of answer.text.matchAll(PROJECT_SECRET)) all.push({ name: PROJECT_NAME, value })
        return answer
      },
    }),
    /** Wraps AWS to read the secrets in IAM’s answers about access keys. */
    readAws: (aws: Fetch) =>
      reading(
        aws,
        'a secret access key',
        ({ headers }) => SIGNED_FOR_IAM.test(headers.get('authorization') ?? ''),
        /<SecretAccessKey>([^<]+)</g,
      ),
  }
}
